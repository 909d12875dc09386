"""Laws that know one friction, on ground that has another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from axletree.core.expr import atan, maximum, tan
from axletree.library.tyres.contract import Contact, Forces, Parameters, TyreLaw

LEAST_FRICTION = 0.01  # of the law's own: slip is divided by it


@dataclass(frozen=True)
class BySimilarity(TyreLaw):
    """The law's curves made lower and narrower alike (Pacejka 2012, section 4.2).

    With a share f of the friction F(s) becomes f F(s / f): the greatest force is f times the
    law's, and small slip gives the same force as before. Moments that come of the load alone,
    Mx and My, stay.
    """

    law: TyreLaw

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        share = maximum(contact.friction, LEAST_FRICTION)
        told = replace(
            contact,
            longitudinal_slip=contact.longitudinal_slip / share,
            slip_angle=atan(tan(contact.slip_angle) / share),
        )
        f = self.law.forces(told, p)
        return replace(f, Fx=f.Fx * share, Fy=f.Fy * share, Mz=f.Mz * share)
