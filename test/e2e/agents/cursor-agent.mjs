// The SDK is a library: this is the program around it. It runs the same local agent as Cursor's own clients.
const { Agent } = (await import(process.argv[2])).default;

const agent = await Agent.create({
  apiKey: 'made-up',
  model: { id: 'test' },
  local: { cwd: process.cwd(), settingSources: ['project', 'user'], enableAgentRetries: false },
});
const run = await agent.send('push it');
for await (const event of run.stream()) {
  console.log(JSON.stringify(event));
}
console.log(JSON.stringify(await run.wait()));
process.exit(0);
