"""Fits many Gaussian processes at once: the marginal likelihood and its gradient with respect to the kernel's
parameters."""
import math

import torch

NAME = "Gaussian process"
# (processes, points)
CASES, SMALL = [(4096, 32), (512, 128), (64, 512)], [(16, 8)]


def size(case):
    return f"{case[0]} x {case[1]} points"


def prepare(case, la, device):
    torch.manual_seed(1)
    batch, points = case
    x = torch.rand(batch, points, 1, dtype=torch.float64, device=device).sort(-2).values * 10
    y = torch.sin(x) + 0.1 * torch.randn_like(x)
    squares = (x - x.mT) ** 2
    one = torch.eye(points, dtype=torch.float64, device=device)
    logarithms = torch.zeros(3, batch, 1, 1, dtype=torch.float64, device=device).requires_grad_()

    def step():
        length, scale, noise = logarithms.exp()
        kernel = scale * torch.exp(-squares / (2 * length**2)) + (0.1 * noise + 1e-6) * one
        factor = la.cholesky(kernel)
        weights = la.cholesky_solve(y, factor)
        likelihood = -((y * weights).sum((-2, -1)) / 2 + factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)
                       + points / 2 * math.log(2 * math.pi))
        (gradient,) = torch.autograd.grad(likelihood.sum(), logarithms)
        return torch.stack([likelihood.detach().mean(), *gradient.mean((1, 2, 3))])

    return step
