// node wasm_client.mjs FOLDER ORDERS: takes steps and sets values as ordered, prints what it reads.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, orders] = process.argv.slice(2);
const { Stepper } = createRequire(import.meta.url)(`${folder}/stepper.js`);
const layout = JSON.parse(readFileSync(`${folder}/layout.json`));
const model = await Stepper.load(readFileSync(`${folder}/model.wasm`), layout, 1e-3);
const found = [];
for (const [verb, ...given] of JSON.parse(orders)) {
  if (verb === "states") found.push([...model.values("states")]);
  else if (verb === "outputs") found.push([...model.values("outputs")]);
  else if (verb === "get") found.push(model.get(...given));
  else if (verb === "time") found.push(model.time);
  else if (verb === "keep") globalThis.kept = model.save();
  else if (verb === "return") model.restore(globalThis.kept);
  else {
    try { model[verb](...given); } catch (error) { found.push(error.message); }
  }
}
console.log(JSON.stringify(found));
