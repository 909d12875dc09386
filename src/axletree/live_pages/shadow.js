// The shadow of all that moves, on level ground, by the light that the ground is shaded by.

const LIGHT = [-0.35, 0.25, 0.9];

class Shadow {
  constructor(painter, actors, scene) {
    Object.assign(this, { painter, actors, scene });
    this.level = scene.grounds.some((ground) => ground.endless);
  }

  // Points slide along the light until they are at the height of the ground [m].
  flattening(height) {
    const [x, y] = [LIGHT[0] / LIGHT[2], LIGHT[1] / LIGHT[2]];
    return [1, 0, 0, 0, 0, 1, 0, 0, -x, -y, 0, 0, x * height, y * height, height + 0.003, 1];
  }

  draw(theme, contacts) {
    if (!this.level || !contacts.length) return;
    const { painter, scene } = this, { gl } = painter;
    const flat = this.flattening(Math.min(...contacts.map((one) => one.point[2])));
    gl.enable(gl.BLEND);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255); // no place is darkened twice
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    for (const actor of scene.actors) {
      const place = matrixProduct(flat, placement([...actor.rotation], [...actor.position]));
      for (const piece of actor.pieces) {
        const { corners } = this.actors.meshes[piece.mesh];
        painter.draw(gl.TRIANGLES, corners, null, place, theme.rgb("shade"), 0.35);
      }
    }
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
  }
}
