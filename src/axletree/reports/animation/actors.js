// What moves: bodies, wheels, forces, springs, and the ways that were gone.

class Actors {
  constructor(painter, scene) {
    this.painter = painter;
    this.scene = scene;
    this.meshes = scene.meshes.map((m) => painter.mesh(m.points, m.triangles, m.lines));
    this.trails = scene.trails.map((t) => ({ ...t, buffer: painter.buffer(t.points) }));
    this.lines = scene.lines.map((line) => ({ ...line, buffer: painter.buffer(line.points) }));
    this.shown = { forces: true, trails: true };
  }

  draw(theme, at) {
    const poses = this.scene.actors.map((actor) => {
      const { q, p } = poseAt(actor, at);
      return { actor, place: placement(q, p) };
    });
    for (const piece of this.scene.fixed) this.solid(theme, piece, IDENTITY);
    for (const { colour, buffer } of this.lines) {
      this.painter.drawLines(
        this.painter.gl.LINE_STRIP, buffer, IDENTITY, theme.rgb(colour), 1);
    }
    for (const { actor, place } of poses) {
      for (const piece of actor.pieces) if (piece.opacity === 1) this.solid(theme, piece, place);
    }
    this.drawTies(theme, at);
    if (this.shown.trails) this.drawTrails(theme, at);
    this.drawGlass(theme, poses);
    if (this.shown.forces) this.drawForces(theme, at);
  }

  solid(theme, piece, place) {
    const gl = this.painter.gl, mesh = this.meshes[piece.mesh], colour = theme.rgb(piece.colour);
    this.painter.draw(gl.TRIANGLES, mesh.corners, mesh.normals, place, colour);
    this.painter.drawLines(gl.LINES, mesh.ends, place, times(colour, 0.55), 1);
  }

  drawGlass(theme, poses) {
    const gl = this.painter.gl;
    for (const { actor, place } of poses) {
      for (const piece of actor.pieces) {
        if (piece.opacity === 1) continue;
        const mesh = this.meshes[piece.mesh], colour = theme.rgb(piece.colour);
        gl.enable(gl.BLEND);
        gl.depthMask(false);
        this.painter.draw(
          gl.TRIANGLES, mesh.corners, mesh.normals, place, colour, piece.opacity);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
        this.painter.drawLines(gl.LINES, mesh.ends, place, colour, 2);
      }
    }
  }

  // A round rod between two places.
  rod(theme, start, end, thickness, colour, opacity = 1) {
    const way = minus(end, start), gl = this.painter.gl, { shaft } = this.scene.arrow;
    const q = between([0, 0, 1], unit(way));
    const place = placement(q, start, [thickness, thickness, length(way)]);
    const mesh = this.meshes[shaft];
    this.painter.draw(gl.TRIANGLES, mesh.corners, mesh.normals, place, theme.rgb(colour), opacity);
  }

  drawTies(theme, at) {
    for (const tie of this.scene.ties) {
      const [start, end] = [vectorAt(tie.start, at), vectorAt(tie.end, at)];
      this.rod(theme, start, end, 0.008 * this.scene.size, "tie");
    }
  }

  // What is behind a wheel or in it is faintly seen through that.
  drawForces(theme, at) {
    const gl = this.painter.gl;
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    this.drawArrows(theme, at, 0.35);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    this.drawArrows(theme, at, 1);
  }

  drawArrows(theme, at, opacity) {
    const gl = this.painter.gl, { size, arrowScale, arrow } = this.scene;
    const head = this.meshes[arrow.head], thick = 0.012 * size;
    for (const force of this.scene.forces) {
      const way = times(vectorAt(force.vector, at), arrowScale), reach = length(way);
      if (reach < 0.01 * size) continue;
      const foot = vectorAt(force.point, at), tip = Math.min(0.075 * size, 0.5 * reach);
      const neck = sum(foot, times(way, 1 - tip / reach));
      this.rod(theme, foot, neck, thick, "force", opacity);
      const place = placement(
        between([0, 0, 1], unit(way)), neck, [2.6 * thick, 2.6 * thick, tip]);
      this.painter.draw(
        gl.TRIANGLES, head.corners, head.normals, place, theme.rgb("force"), opacity);
    }
  }

  drawTrails(theme, at) {
    const gl = this.painter.gl;
    for (const trail of this.trails) {
      const colour = theme.rgb(trail.colour);
      this.painter.drawLines(gl.LINE_STRIP, trail.buffer, IDENTITY, colour, 2, at.k + 1);
      if (!at.part) continue;
      const last = trail.points.slice(3 * at.k, 3 * at.k + 3);
      const rest = this.painter.buffer([...last, ...vectorAt(trail.points, at)]);
      this.painter.drawLines(gl.LINES, rest, IDENTITY, colour, 2);
      gl.deleteBuffer(rest.made);
    }
  }
}
