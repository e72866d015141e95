// Reads, replays and converts games with tsshogi, and tells the CPU seconds that it took.
//
// node tsshogi.mjs FOLDER, where FOLDER holds node_modules. Requests and answers are lines of JSON:
// {"load": [paths], "task": name} keeps the texts of a task, {"run": name} answers {"cpu": seconds}.
// With --convert FROM PATH it converts one CSA file to KIF and ends.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(resolve(process.argv[2], "package.json"));
const { exportCSA, exportKI2, exportKIF, importCSA, importJKFString, importKI2, importKIF, Move } = require("tsshogi");

function read(importer, text) {
  const record = importer(text);
  if (record instanceof Error) throw record;
  return record;
}

function prove(record) {
  const position = record.initialPosition.clone();
  for (const node of record.moves) {
    if (node.move instanceof Move) {
      if (!position.isValidMove(node.move)) throw new Error(`illegal: ${node.move.usi}`);
      position.doMove(node.move, { ignoreValidation: true });
    }
  }
}

const tasks = {
  "csa": (text) => prove(read(importCSA, text)),
  "kif": (text) => prove(read(importKIF, text)),
  "ki2": (text) => prove(read(importKI2, text)),
  "jkf": (text) => prove(read(importJKFString, text)),
  "csa-to-kif": (text) => exportKIF(read(importCSA, text)),
  "kif-to-csa": (text) => exportCSA(read(importKIF, text)),
  "kif-to-ki2": (text) => exportKI2(read(importKIF, text)),
};

if (process.argv[3] === "--convert") {
  process.stdout.write(tasks["csa-to-kif"](readFileSync(process.argv[4], "utf-8")));
} else {
  const texts = {};
  for await (const line of createInterface({ input: process.stdin })) {
    let answer = {};
    try {
      const request = JSON.parse(line);
      if (request.load) {
        texts[request.task] = request.load.map((path) => readFileSync(path, "utf-8"));
      } else {
        const before = process.cpuUsage();
        for (const text of texts[request.run]) tasks[request.run](text);
        const spent = process.cpuUsage(before);
        answer = { cpu: (spent.user + spent.system) / 1e6 };
      }
    } catch (error) {
      answer = { error: String(error) };
    }
    console.log(JSON.stringify(answer));
  }
}
