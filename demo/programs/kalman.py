"""Runs many Kalman filters at once, ten steps of each: products of small matrices, and the gain from a linear
system."""
import torch

NAME = "Kalman filter"
# (filters, states)
CASES, SMALL = [(100000, 6), (20000, 12), (1000, 12)], [(100, 6)]
STEPS = 10


def size(case):
    return f"{case[0]} x {case[1]} states"


def prepare(case, la, device):
    torch.manual_seed(1)
    filters, states = case
    half = states // 2
    of = dict(dtype=torch.float32, device=device)
    # The states are positions and velocities; the positions are observed.
    motion = torch.eye(states, **of) + 0.1 * torch.diag(torch.ones(half, **of), half)
    motion = motion.expand(filters, states, states).contiguous()
    seen = torch.eye(half, states, **of).expand(filters, half, states).contiguous()
    drift, error = 0.01 * torch.eye(states, **of), 0.1 * torch.eye(half, **of)
    one = torch.eye(states, **of)
    observations = torch.randn(STEPS, filters, half, 1, **of)

    def step():
        x = torch.zeros(filters, states, 1, **of)
        p = torch.eye(states, **of).expand(filters, states, states).contiguous()
        for observed in observations:
            x = la.matmul(motion, x)
            p = la.matmul(la.matmul(motion, p), motion.mT) + drift
            seen_p = la.matmul(seen, p)
            innovation = la.matmul(seen_p, seen.mT) + error
            gain = la.solve(innovation, seen_p).mT
            x = x + la.matmul(gain, observed - la.matmul(seen, x))
            p = la.matmul(one - la.matmul(gain, seen), p)
        return torch.stack([x.abs().mean(), p.diagonal(dim1=-2, dim2=-1).mean()])

    return step
