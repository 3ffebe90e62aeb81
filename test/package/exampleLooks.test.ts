import type { IDataObject, INode } from 'n8n-workflow';

import { exampleFiles, isNote, isOurs, ownName, readExample } from './support/examples';
import { list, read } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

// What a person sees who imports an example: where it stands, what its note says, what it costs.

/** The editor's grid, its nodes, and the space that a name of two lines takes below and beside. */
const GRID = 16;
const NODE = { width: 96, height: 96, beside: 48, below: 40 };
/** A note's text in the editor, measured in pictures of all examples. */
const TEXT = { character: 6.7, line: 19, heading: 42, between: 8, around: 24 };
const LONGEST_SECONDS = 8;

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

function boxOf(node: INode): Box {
	const { name } = node;
	const [left, top] = node.position;
	if (isNote(node)) {
		const { width, height } = node.parameters as { width: number; height: number };
		return { name, left, top, right: left + width, bottom: top + height };
	}
	const right = left + NODE.width + NODE.beside;
	return { name, left: left - NODE.beside, top, right, bottom: top + NODE.height + NODE.below };
}

/** The lines of a paragraph that is broken between words. */
function linesOf(paragraph: string, width: number): number {
	const longest = (width - TEXT.around) / TEXT.character;
	const words = paragraph.replace(/\*\*|`/g, '').split(' ');
	let [lines, length] = [1, -1];
	for (const word of words) {
		const fits = length + 1 + word.length <= longest;
		length = fits ? length + 1 + word.length : word.length;
		if (!fits) lines++;
	}
	return lines;
}

/** How tall a note must be for all of its text to be seen. */
function heightOfText({ content, width }: { content: string; width: number }): number {
	const [first, ...others] = content.split('\n\n');
	const paragraphs = [first.slice(first.indexOf('\n') + 1), ...others];
	const lines = paragraphs.map((paragraph) => linesOf(paragraph, width));
	const all = lines.reduce((sum, count) => sum + count * TEXT.line + TEXT.between, 0);
	return TEXT.heading + all;
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(exampleFiles)('%s', (file) => {
	const { nodes } = readExample(file);
	const notes = nodes.filter(isNote).map(({ parameters }) => parameters.content as string);
	const steps = nodes.filter((node) => !isNote(node));

	it('has a note with a heading, what to set up and what it costs', () => {
		expect(notes.length).toBeGreaterThan(0);
		for (const note of notes) expect(note).toMatch(/^## \w.*\n.*\w/s);
		expect(notes.join('\n')).toMatch(/\*\*Set up:\*\* \w[^]*\*\*Cost:\*\* \w.*\bbill/);
	});

	it('has notes that name every credential, and only nodes that are there', () => {
		const bold = notes.flatMap((note) => [...note.matchAll(/\*\*(.+?)\*\*/g)].map(([, b]) => b));
		const needed = nodes
			.filter(isOurs)
			.flatMap((node) => loaded.nodes.find(({ name }) => name === ownName(node))!.credentials!);
		const titles = needed.map(
			({ name }) => loaded.credentials.find((type) => type.name === name)!.displayName,
		);
		expect(bold).toEqual(expect.arrayContaining(titles));
		const known = [...titles, ...steps.map(({ name }) => name), 'Set up:', 'Cost:', 'S3'];
		expect(bold.filter((name) => !known.includes(name))).toEqual([]);
	});

	it('says how long the videos are that it pays for, and keeps them short', () => {
		for (const node of nodes.filter((one) => isOurs(one) && ownName(one) === 'videoGenerate')) {
			const { duration } = (node.parameters.options ?? {}) as IDataObject;
			expect(duration).toBeLessThanOrEqual(LONGEST_SECONDS);
			expect(notes.join()).toContain(`${String(duration)} seconds`);
		}
	});

	it('has notes that show all of their text', () => {
		for (const { parameters } of nodes.filter(isNote)) {
			const note = parameters as { content: string; width: number; height: number };
			expect(note.height).toBeGreaterThanOrEqual(heightOfText(note));
		}
	});

	it("stands on the editor's grid, nothing over anything else", () => {
		const offGrid = nodes.filter(({ position }) => position.some((at) => at % GRID !== 0));
		expect(offGrid.map(({ name }) => name)).toEqual([]);
		const boxes = nodes.map(boxOf);
		const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => [a, b]));
		const covered = pairs.filter(([a, b]) => overlap(a, b));
		expect(covered.map((pair) => pair.map(({ name }) => name))).toEqual([]);
	});

	it("names nobody's address", () => {
		const text = JSON.stringify(steps);
		expect(text).not.toMatch(/https?:\/\/(?!([\w-]+\.)*example\.com\b)/);
	});

	it('is run in a real n8n', () => {
		const name = file.split('/').pop()!;
		const tests = list('e2e').filter((path) => path.endsWith('.test.mjs'));
		expect(tests.filter((path) => read(path).includes(`'${name}'`))).not.toEqual([]);
	});
});
