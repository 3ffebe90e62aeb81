import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const NODE = `exports.Empty = class {
	description = {
		displayName: 'Empty',
		name: 'empty',
		group: ['transform'],
		version: 1,
		description: 'Does nothing',
		defaults: { name: 'Empty' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};
};
`;

/** A community package of one node that does nothing, as small as n8n takes it; returns its folder. */
export async function writeEmptyPackage(folder, name) {
	const target = path.join(folder, name);
	const n8n = { n8nNodesApiVersion: 1, nodes: ['dist/Empty.node.js'], credentials: [] };
	await mkdir(path.join(target, 'dist'), { recursive: true });
	await writeFile(
		path.join(target, 'package.json'),
		JSON.stringify({ name, version: '1.0.0', n8n }),
	);
	await writeFile(path.join(target, 'dist', 'Empty.node.js'), NODE);
	return target;
}
