import { changesSince, readContract } from './support/contract';
import { list, read, readJson } from './support/files';
import { loadPackage } from './support/loader';

// What was once released stays: workflows, sleeping executions and credentials are saved with it.
// test/package/contract/ holds what each version promised.

const FILES = list('test/package/contract');

const WHAT_TO_DO = `
People's workflows are saved with these: keep them as they were. As long as that version of the
package is not released, "npm run write" writes its promises anew.`;

it.each(FILES)('the package keeps what it promised: %s', async (file) => {
	const released = readJson(file);
	const changes = changesSince(released, readContract(await loadPackage()));
	if (changes.length > 0) throw new Error(`Not as in ${file}:\n${changes.join('\n')}${WHAT_TO_DO}`);
});

it('every version in the changelog has its promises written down (npm run write)', () => {
	const versions = [...read('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)];
	expect(FILES).toEqual(
		versions.map(([, version]) => `test/package/contract/${version}.json`).sort(),
	);
});

it('the comparison sees what is gone, and lets additions pass', async () => {
	const released = readContract(await loadPackage());
	const current = JSON.parse(JSON.stringify(released)) as typeof released;
	const nodes = current.nodes as Record<string, { parameters: Record<string, object[]> }>;
	const [[name, { parameters }]] = Object.entries(nodes);
	const [[path, [form]]] = Object.entries(parameters);
	delete parameters[path];
	parameters.added = [form];
	expect(changesSince(released, current)).toEqual([
		`nodes: ${name}: parameters: "${path}" is gone`,
	]);
	expect(changesSince(current, current)).toEqual([]);
});
