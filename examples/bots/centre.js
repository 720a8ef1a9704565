// An external player for Connect Four in JavaScript: it prefers columns near the centre.
//
// stratagem match connect_four "external:node examples/bots/centre.js" random --games 20
const readline = require("readline");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const question = JSON.parse(line);
  const distance = (choice) => Math.abs(choice.action - 3);
  const [best] = [...question.legal].sort((one, other) => distance(one) - distance(other));
  console.log(JSON.stringify({ id: question.id, move: best.move }));
});
