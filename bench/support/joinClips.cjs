'use strict';

// Video Join in the engine, from n8n's storage to n8n's storage, in a process of its own:
// `node --expose-gc joinClips.cjs <clip> <count>` prints what it took.

const { createReadStream } = require('node:fs');
const { createEngine } = require('../../test/support/engine');
const { watchMemory } = require('./watchMemory.cjs');

const [file, count] = process.argv.slice(2);

const stores = {
	description: {
		...{ displayName: 'Stores', name: 'stores', group: ['transform'], version: 1 },
		...{ defaults: {}, inputs: ['main'], outputs: ['main'], properties: [] },
	},
	async execute() {
		const { prepareBinaryData } = this.helpers;
		const data = await prepareBinaryData(createReadStream(file), 'clip.mp4', 'video/mp4');
		return [[{ json: {}, binary: { data } }]];
	},
};

async function main() {
	const engine = await createEngine({ 'bench.stores': stores });
	const binaryMode = 'filesystem';
	try {
		const stored = await engine.run({ node: { type: 'bench.stores' }, binaryMode });
		const [{ binary }] = stored.outputs()[0];
		const node = { type: 'n8n-nodes-video-generation.videoJoin', parameters: {} };
		const items = (n) => Array.from({ length: n }, () => ({ json: {}, binary }));
		// What is loaded once is not what a film costs.
		await engine.run({ node, items: items(1), binaryMode });
		globalThis.gc();
		const end = watchMemory(process.pid);
		const result = await engine.run({ node, items: items(Number(count)), binaryMode });
		if (result.error) throw result.error;
		process.stdout.write(JSON.stringify(end()));
	} finally {
		engine.close();
	}
}

main().then(
	() => process.exit(0),
	(error) => {
		console.error(error);
		process.exit(1);
	},
);
