"""A step of SOAP (Vyas and others 2024): updates the eigenbases of an optimiser's preconditioners by one QR iteration
each.

There are 180 matrices of eight sizes, as in a network's layers. Those of the same size form one batch, which is the
most favourable input for torch.linalg.qr."""
import torch

NAME = "SOAP step"
# (order, number of matrices)
CASES = [((32, 24), (64, 36), (128, 40), (192, 24), (256, 28), (352, 12), (512, 12), (768, 4))]
SMALL = [((8, 6), (16, 4), (24, 2))]


def size(case):
    return f"{sum(count for _, count in case)} matrices, {len(case)} sizes"


def prepare(case, la, device):
    torch.manual_seed(1)
    layers = []
    for n, count in case:
        gradients = torch.randn(count, n, 2 * n, device=device) * torch.linspace(0.1, 2, n, device=device)[:, None]
        covariance = gradients @ gradients.mT / (2 * n)
        layers.append((covariance, torch.linalg.qr(torch.randn(count, n, n, device=device))[0]))

    def step():
        scales = []
        for covariance, basis in layers:
            # Sort the columns by their estimated eigenvalues, then do one step of orthogonal iteration.
            order = torch.argsort((basis * (covariance @ basis)).sum(-2), descending=True)
            basis = torch.take_along_dim(basis, order[:, None, :], -1)
            q, _ = la.qr(covariance @ basis)
            # Weight the leading eigenvalues most; with equal weights the sum would be the same for any orthogonal
            # basis.
            ritz = (q * (covariance @ q)).sum(-2)
            scales.append((ritz / torch.arange(1, ritz.shape[-1] + 1, device=device)).sum(-1).mean())
        return torch.stack(scales)

    return step
