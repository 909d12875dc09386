// Questions to the server, below the token that stands in this page's address.

class CallError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

class Calls {
  async get(path, query = {}) {
    const words = new URLSearchParams(query).toString();
    return this.answer(fetch(words ? `${path}?${words}` : path));
  }

  async post(path, given) {
    const headers = { "Content-Type": "application/json" };
    return this.answer(fetch(path, { method: "POST", headers, body: JSON.stringify(given) }));
  }

  async answer(asked) {
    let found, content;
    try {
      found = await asked;
      content = await found.json();
    } catch {
      throw new CallError(0, "the studio does not answer; was it ended?");
    }
    if (!found.ok) throw new CallError(found.status, content.error);
    return content;
  }
}
