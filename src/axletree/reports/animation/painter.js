// Draws triangles, lines and ground with WebGL 1.

const SHARED = `
  uniform mat4 view; uniform mat4 lens; uniform mat4 place;`;

const SOLID_POINT = `
  attribute vec3 point; attribute vec3 normal; ${SHARED}
  uniform vec3 nudge; // on the picture, and towards the eye
  varying vec3 facing;
  void main() {
    facing = (view * place * vec4(normal, 0.0)).xyz;
    gl_Position = lens * view * place * vec4(point, 1.0);
    gl_Position.xyz += nudge * gl_Position.w;
  }`;

const SOLID_COLOUR = `
  precision mediump float;
  uniform vec4 colour; uniform float lit; varying vec3 facing;
  void main() {
    vec3 n = normalize(facing);
    float light = 0.62 + 0.38 * abs(dot(n, normalize(vec3(0.3, 0.8, 0.55))));
    gl_FragColor = vec4(colour.rgb * mix(1.0, light, lit), colour.a);
  }`;

// Ground has lines on it, a fine and a coarse grid, which fade where they would flicker.
const GROUND_POINT = `
  attribute vec3 point; attribute vec3 normal; ${SHARED}
  varying vec3 facing; varying vec3 at; varying vec3 seen;
  void main() {
    facing = normal; at = point;
    seen = (view * vec4(point, 1.0)).xyz;
    gl_Position = lens * vec4(seen, 1.0);
  }`;

const GROUND_COLOUR = `
  #extension GL_OES_standard_derivatives : enable
  precision highp float;
  uniform vec4 colour; uniform vec3 grid; uniform vec3 sky; uniform vec3 light;
  uniform float gap; uniform float reach; uniform float fading;
  varying vec3 facing; varying vec3 at; varying vec3 seen;
  float lines(float gap) {
    vec2 c = at.xy / gap, w = fwidth(c);
    vec2 near = abs(fract(c - 0.5) - 0.5) / max(w, vec2(1e-6));
    return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.1, 0.4, max(w.x, w.y)));
  }
  void main() {
    float shade = clamp(0.42 + 0.58 * dot(normalize(facing), light) / light.z, 0.25, 1.15);
    vec3 c = mix(colour.rgb * shade, grid, max(0.45 * lines(gap), 0.9 * lines(10.0 * gap)));
    float away = fading * smoothstep(0.35 * reach, reach, length(seen));
    gl_FragColor = vec4(mix(c, sky, away), colour.a);
  }`;

class Painter {
  constructor(canvas) {
    // What is drawn stays, so that it can be printed and saved as a picture.
    const kept = { antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: true };
    const gl = canvas.getContext("webgl", kept);
    if (!gl) throw new Error("no WebGL");
    this.gl = gl;
    this.nudge = [0, 0, 0];
    gl.getExtension("OES_standard_derivatives");
    this.solid = this.program(SOLID_POINT, SOLID_COLOUR);
    this.ground = this.program(GROUND_POINT, GROUND_COLOUR);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(points, colours) {
    const gl = this.gl, made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, points], [gl.FRAGMENT_SHADER, colours]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text.trim());
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
        throw new Error(gl.getShaderInfoLog(shader));
      }
      gl.attachShader(made, shader);
    }
    gl.bindAttribLocation(made, 0, "point");
    gl.bindAttribLocation(made, 1, "normal");
    gl.linkProgram(made);
    const names = {}, count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
    for (let k = 0; k < count; k++) {
      const { name } = gl.getActiveUniform(made, k);
      names[name] = gl.getUniformLocation(made, name);
    }
    return { made, names };
  }

  buffer(values) {
    const gl = this.gl, made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
    return { made, count: values.length / 3 };
  }

  // Triangles with one normal each, and lines.
  mesh(points, triangles, lines) {
    const at = (k) => [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
    const corners = [], normals = [];
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map((i) => at(triangles[k + i]));
      const n = unit(cross(minus(b, a), minus(c, a)));
      corners.push(...a, ...b, ...c);
      normals.push(...n, ...n, ...n);
    }
    const ends = [];
    for (const k of lines) ends.push(...at(k));
    return {
      corners: this.buffer(corners), normals: this.buffer(normals), ends: this.buffer(ends),
    };
  }

  begin(sky, view, lens) {
    const gl = this.gl;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(...sky, 1);
    gl.clearStencil(0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    for (const program of [this.solid, this.ground]) {
      gl.useProgram(program.made);
      gl.uniformMatrix4fv(program.names.view, false, view);
      gl.uniformMatrix4fv(program.names.lens, false, lens);
    }
  }

  attribute(place, buffer) {
    const gl = this.gl;
    if (!buffer) {
      gl.disableVertexAttribArray(place);
      gl.vertexAttrib3f(place, 0, 0, 1);
      return;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer.made);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  }

  // kind is one of WebGL's; a part of the points only, where first and count are given.
  draw(kind, points, normals, place, colour, opacity = 1, first = 0, count = points.count) {
    const gl = this.gl, { made, names } = this.solid;
    if (count <= 0) return;
    gl.useProgram(made);
    gl.uniformMatrix4fv(names.place, false, place);
    gl.uniform4f(names.colour, ...colour, opacity);
    gl.uniform1f(names.lit, normals ? 1 : 0);
    gl.uniform3f(names.nudge, ...this.nudge);
    this.attribute(0, points);
    this.attribute(1, normals);
    gl.drawArrays(kind, first, count);
  }

  // Lines that are some pixels wide, drawn side by side and in front of what they lie on.
  drawLines(kind, points, place, colour, width, count = points.count) {
    const gl = this.gl, ratio = window.devicePixelRatio || 1, n = Math.ceil(width * ratio);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const [x, y] = [i, j].map((k) => 2 * k - n + 1);
        this.nudge = [x / gl.drawingBufferWidth, y / gl.drawingBufferHeight, -1e-4];
        this.draw(kind, points, null, place, colour, 1, 0, count);
      }
    }
    this.nudge = [0, 0, 0];
  }

  drawGround(surface, colour, look) {
    const gl = this.gl, { made, names } = this.ground;
    gl.useProgram(made);
    gl.uniform4f(names.colour, ...colour, 1);
    gl.uniform3f(names.grid, ...look.grid);
    gl.uniform3f(names.sky, ...look.sky);
    gl.uniform3f(names.light, ...unit([-0.35, 0.25, 0.9]));
    gl.uniform1f(names.gap, look.gap);
    gl.uniform1f(names.reach, look.reach);
    gl.uniform1f(names.fading, look.fading);
    this.attribute(0, surface.points);
    this.attribute(1, surface.normals);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, surface.indices);
    gl.drawElements(gl.TRIANGLES, surface.count, gl.UNSIGNED_SHORT, 0);
  }

  indices(values) {
    const gl = this.gl, made = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, made);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(values), gl.STATIC_DRAW);
    return made;
  }
}
