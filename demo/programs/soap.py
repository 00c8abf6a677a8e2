"""A step of SOAP (Vyas and others 2024): the eigenbases of an optimiser's preconditioners follow them by one QR iteration each.

180 matrices of eight sizes, as a network's layers have them; those of a size are one batch, which is the best that
torch.linalg.qr can be given."""
import torch

NAME = "SOAP step"
# {order: how many}
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
            # Columns by the size of their estimated eigenvalue, then one step of orthogonal iteration.
            order = torch.argsort((basis * (covariance @ basis)).sum(-2), descending=True)
            basis = torch.take_along_dim(basis, order[:, None, :], -1)
            q, _ = la.qr(covariance @ basis)
            # Leading eigenvalues count most: of all alike the sum would be that of any orthogonal basis.
            ritz = (q * (covariance @ q)).sum(-2)
            scales.append((ritz / torch.arange(1, ritz.shape[-1] + 1, device=device)).sum(-1).mean())
        return torch.stack(scales)

    return step
