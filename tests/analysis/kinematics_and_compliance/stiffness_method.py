"""The direct stiffness method: an axle at design as springs between links, without load.

Each link has a small displacement of its design origin and a small rotation, (u, w); a point p of
it moves by u + w x p. A bushing has the energy of what its point and its rotation do between its
links, in its axes; an ideal joint holds rows by multipliers. With the stiffness K, the rows J and
the loads of unit size on the contacts,

    [K J^T; J 0] (q, L) = (Q, 0)

which gives the compliance at both contacts. Nothing here knows of large motion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Cross,
    Hinge,
    Mount,
    Plane,
    Sleeve,
    Slide,
)


def across(e: Any) -> list[Any]:
    e = e / np.linalg.norm(e)
    first = np.cross(e, np.eye(3)[np.argmin(np.abs(e))])
    first /= np.linalg.norm(first)
    return [first, np.cross(e, first)]


class Springs:
    """Stiffness and rows of all links of an axle."""

    def __init__(self, linkage: AxleLinkage) -> None:
        self.order = {link.name: k for k, link in enumerate(linkage.links)}
        self.size = 6 * len(self.order)
        self.K, self.J = np.zeros((self.size, self.size)), []
        for joint in linkage.joints:
            self.add(joint)
        for coil in linkage.coils:
            self.spring(coil, coil.stiffness)
        hinges = {j.name: j for j in linkage.joints if isinstance(j, Hinge)}
        for bar in linkage.bars:
            row = self.angle(hinges[bar.hinges[0]])
            if len(bar.hinges) == 2:
                row = self.angle(hinges[bar.hinges[1]]) - row
            self.K += bar.stiffness * np.outer(row, row)
        for one in linkage.couplings:
            pairs = zip(one.factors, one.hinges, strict=True)
            self.J.append(sum(by * self.angle(hinges[name]) for by, name in pairs))
        if linkage.steering_hinge is not None:
            self.J.append(self.angle(hinges[linkage.steering_hinge]))
        elif linkage.steers:
            self.J.append(self.point(RACK, (0.0, 0.0, 0.0))[1])

    def point(self, link: str, p: Any) -> Any:
        """How a point moves, (3, size)."""
        rows = np.zeros((3, self.size))
        if link != BODY:
            k = 6 * self.order[link]
            x, y, z = p
            rows[:, k : k + 3] = np.eye(3)
            rows[:, k + 3 : k + 6] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
        return rows

    def turn(self, link: str) -> Any:
        rows = np.zeros((3, self.size))
        if link != BODY:
            k = 6 * self.order[link] + 3
            rows[:, k : k + 3] = np.eye(3)
        return rows

    def angle(self, hinge: Hinge) -> Any:
        e = np.subtract(hinge.ends[1], hinge.ends[0])
        return e / np.linalg.norm(e) @ (self.turn(hinge.second) - self.turn(hinge.first))

    def spring(self, of: Bar | Coil, stiffness: float) -> None:
        e = np.subtract(of.ends[1], of.ends[0])
        apart = self.point(of.second, of.ends[1]) - self.point(of.first, of.ends[0])
        row = e / np.linalg.norm(e) @ apart
        self.K += stiffness * np.outer(row, row)

    def bushing(self, joint: Any, at: Any, mount: Mount) -> None:
        z = np.array(mount.axis) / np.linalg.norm(mount.axis)
        x = np.array([z[2], 0.0, -z[0]]) if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
        x = x if mount.across is None else np.array(mount.across)
        x = x - z * (x @ z)
        x /= np.linalg.norm(x)
        A = np.array([x, np.cross(z, x), z])
        d = A @ (self.point(joint.second, at) - self.point(joint.first, at))
        w = A @ (self.turn(joint.second) - self.turn(joint.first))
        self.K += d.T @ np.diag(mount.stiffness) @ d
        self.K += w.T @ np.diag(mount.rotational_stiffness) @ w

    def add(self, joint: Any) -> None:
        d, w = None, self.turn(joint.second) - self.turn(joint.first)
        if not isinstance(joint, Hinge | Bar | Slide):
            d = self.point(joint.second, joint.at) - self.point(joint.first, joint.at)
        match joint:
            case Ball(mount=Mount() as mount) | Cross(mount=Mount() as mount):
                self.bushing(joint, joint.at, mount)
            case Ball():
                self.J += list(d)
            case Cross():
                self.J += [*d, np.cross(*joint.axes) @ w]
            case Hinge(mounts=(first, second)):
                for at, mount in zip(joint.ends, (first, second), strict=True):
                    self.bushing(joint, at, mount)
            case Hinge():
                at = joint.ends[0]
                self.J += list(self.point(joint.second, at) - self.point(joint.first, at))
                e = np.subtract(joint.ends[1], joint.ends[0])
                self.J += [n @ w for n in across(e)]
            case Bar(stiffness=float() as stiffness):
                self.spring(joint, stiffness)
            case Bar():
                e = np.subtract(joint.ends[1], joint.ends[0])
                apart = self.point(joint.second, joint.ends[1])
                self.J.append(e @ (apart - self.point(joint.first, joint.ends[0])))
            case Sleeve():
                self.J += [n @ d for n in across(np.subtract(joint.along, joint.at))]
            case Plane():
                self.J.append(np.array(joint.normal) @ d)
            case Slide():
                origin = self.point(joint.second, (0, 0, 0)) - self.point(joint.first, (0, 0, 0))
                self.J += [*(n @ origin for n in across(np.array(joint.direction))), *w]

    def compliance(self, linkage: AxleLinkage, radius: float) -> Any:
        """(12, 12): force and torque on the left contact, then on the right one."""
        rows = []
        for side in ("left", "right"):
            carrier = linkage.carriers[side]
            s = np.array(carrier.spin_axis)
            down = s[2] * s - np.array([0.0, 0.0, 1.0])
            contact = np.array(carrier.centre) + radius * down / np.linalg.norm(down)
            rows += [*self.point(carrier.link, contact), *self.turn(carrier.link)]
        B, J = np.array(rows), np.array(self.J).reshape(-1, self.size)
        held = np.zeros((len(J), len(J)))
        scale = np.abs(self.K).max()
        whole = np.block([[self.K / scale, J.T], [J, held]])
        load = np.vstack([B.T / scale, np.zeros((len(J), 12))])
        return B @ np.linalg.lstsq(whole, load, rcond=1e-14)[0][: self.size]
