"""Bootstrap intervals of a regression: 1000 resamples of the diabetes data, 442 patients x 11 coefficients."""
import csv
from pathlib import Path

import torch

NAME = "bootstrap regression"
DATA = Path(__file__).resolve().parent.parent / "diabetes.csv"
# (resamples,); SMALL is for machines without a GPU
CASES, SMALL = [(1000,)], [(50,)]


def size(case):
    return f"{case[0]} x 442 x 11"


def prepare(case, la, device):
    with DATA.open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    data = torch.tensor([[float(x) for x in row] for row in rows[1:]], dtype=torch.float64, device=device)
    x, y = data[:, :-1], data[:, -1:]
    x = (x - x.mean(0)) / x.std(0)
    x = torch.cat([torch.ones_like(y), x], 1)
    drawn = torch.randint(len(x), (case[0], len(x)), generator=torch.Generator().manual_seed(1)).to(device)
    limits = torch.tensor([0.025, 0.975], dtype=torch.float64, device=device)

    def step():
        coefficients = la.lstsq(x[drawn], y[drawn])
        return torch.quantile(coefficients[..., 0], limits, dim=0)

    return step
