"""A car of Axletree inside PyTorch: compiled rates as a function that autograd goes through.

It needs PyTorch beside Axletree (``pip install torch``) and is no part of the tests. The backward
pass calls ``adjoint``; tensors with two axes hold one point in each row, as batches do. Run it by
``python docs/examples/derivatives_in_torch.py``.
"""

from __future__ import annotations

import torch

import axletree as at

car = at.read_model("bicycle-car").formulate().functions("f", "adjoint")
STATES, INPUTS = len(car.states), len(car.inputs)
STEP, STEPS = 0.005, 200  # s


class Rates(torch.autograd.Function):
    """The rates of the states [SI units], of states and inputs in double precision."""

    @staticmethod
    def forward(ctx, x, u):
        ctx.save_for_backward(x, u)
        return torch.from_numpy(car.f(x.detach().numpy(), u.detach().numpy()))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, weights):
        x, u = (kept.detach().numpy() for kept in ctx.saved_tensors)
        slopes = torch.from_numpy(car.adjoint(x, u, weights.numpy()))
        return slopes[..., :STATES], slopes[..., STATES : STATES + INPUTS]


def lateral_displacement(angles):
    """[m] of each car, after its steering angles [rad], by the classical Runge-Kutta method."""
    place = torch.zeros(INPUTS, dtype=torch.float64)
    place[car.inputs.index("steer.angle")] = 1.0
    x = torch.from_numpy(car.point({"chassis.vx": 20.0})[0]).repeat(len(angles), 1)
    for angle in angles.unbind(dim=1):
        u = angle[:, None] * place
        a = Rates.apply(x, u)
        b = Rates.apply(x + STEP / 2 * a, u)
        c = Rates.apply(x + STEP / 2 * b, u)
        d = Rates.apply(x + STEP * c, u)
        x = x + STEP / 6 * (a + 2 * b + 2 * c + d)
    return x[:, car.states.index("chassis.y")]


if __name__ == "__main__":
    x, u = car.point({"chassis.vx": 20.0, "chassis.rate": 0.1}, {"steer.angle": 0.02})
    point = [torch.from_numpy(a).requires_grad_() for a in (x, u)]
    torch.autograd.gradcheck(Rates.apply, point, eps=1e-6, atol=1e-3, rtol=1e-4)
    angles = torch.full((3, STEPS), 0.01, dtype=torch.float64) * torch.tensor([[0.5], [1.0], [2.0]])
    angles.requires_grad_()
    found = lateral_displacement(angles)
    found.sum().backward()
    print("lateral displacement after 1 s:", ", ".join(f"{y:.4f} m" for y in found.tolist()))
    print(f"of the second car by the angle of step 20: {angles.grad[1, 20]:.8f} m/rad")
