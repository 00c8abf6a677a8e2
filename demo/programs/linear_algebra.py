"""The functions that the programs call, under PyTorch's names: either PyTorch's own or those of the Python package.
Nothing else differs between the two."""
import torch


class Torch:
    qr = staticmethod(torch.linalg.qr)
    solve = staticmethod(torch.linalg.solve)
    cholesky = staticmethod(torch.linalg.cholesky)
    cholesky_solve = staticmethod(torch.cholesky_solve)
    matmul = staticmethod(torch.matmul)

    @staticmethod
    def lstsq(a, b):
        return torch.linalg.lstsq(a, b, driver="gels").solution


def package():
    import tephra

    class Tephra(Torch):
        qr = staticmethod(tephra.qr)
        solve = staticmethod(tephra.solve)
        cholesky = staticmethod(tephra.cholesky)
        cholesky_solve = staticmethod(tephra.cholesky_solve)
        matmul = staticmethod(tephra.bmm)

        @staticmethod
        def lstsq(a, b):
            return tephra.lstsq(a, b).solution

    return Tephra
