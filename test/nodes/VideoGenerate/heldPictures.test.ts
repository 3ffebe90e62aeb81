import { createHeldPictures } from '../../../nodes/VideoGenerate/heldPictures';
import { type HeldFile, toReference } from '../../../nodes/shared/lib/heldFile';
import { makeRun } from '../../support/makeRun';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const OTHER = Buffer.from('\x89PNG\r\n\x1a\n and b picture', 'latin1');

/** A source that has other bytes, or fails, at each reading; it gives them in pieces of `size`. */
function sourceOf(readings: Array<Buffer | Error | { whyNot: string }>, size = 5) {
	let reading = -1;
	return {
		label: 'First Frame (Image URL)',
		kind: 'image' as const,
		ifChanged: 'Load it once.',
		async read(take: (piece: Uint8Array) => void) {
			const now = readings[++reading];
			if (now instanceof Error) throw now;
			if ('whyNot' in now) return now;
			for (let at = 0; at < now.length; at += size) take(now.subarray(at, at + size));
			return undefined;
		},
	};
}

async function load(...readings: Parameters<typeof sourceOf>[0]) {
	const held = createHeldPictures(makeRun());
	const file = (await held.check(3, sourceOf(readings))) as HeldFile;
	expect(file).toMatchObject({ mimeType: 'image/png', sizeBytes: PNG.length });
	return await held.filesOf(3)(toReference(file));
}

it('is loaded for the submit as it was checked', async () => {
	expect(await load(PNG, PNG)).toEqual(PNG);
});

it.each<[string, Buffer | Error | { whyNot: string }, string]>([
	['another of the same size', OTHER, 'has changed since it was checked'],
	['a shorter one', PNG.subarray(0, 20), 'has changed since it was checked'],
	['a longer one', Buffer.concat([PNG, PNG]), 'has changed since it was checked'],
	['none', { whyNot: 'it is gone' }, 'cannot be loaded again: it is gone'],
	['a fault of the storage', new Error('ENOENT'), 'ENOENT'],
])('is refused for the submit: %s', async (_what, reading, says) => {
	expect(await load(PNG, reading)).toMatchObject({
		message: expect.stringContaining(says) as string,
		passes: false,
	});
});

it('is read from the source of its own item', async () => {
	const held = createHeldPictures(makeRun());
	const mine = (await held.check(0, sourceOf([PNG, PNG]))) as HeldFile;
	await held.check(1, sourceOf([PNG, { whyNot: 'it is gone' }]));
	expect(await held.filesOf(0)(toReference(mine))).toEqual(PNG);
	expect(await held.filesOf(1)(toReference(mine))).toMatchObject({ passes: false });
});

it('is forgotten once its item needs it no more, and never made of a text alone', async () => {
	const held = createHeldPictures(makeRun());
	const file = (await held.check(0, sourceOf([PNG, PNG, PNG]))) as HeldFile;
	const larger = toReference({ ...file, sizeBytes: 2 ** 40 });
	expect(await held.filesOf(0)(larger)).toEqual(PNG);
	held.letGo(0);
	expect(await held.filesOf(0)(toReference(file))).toMatchObject({ passes: false });
});

it('is no image by its first bytes', async () => {
	const held = createHeldPictures(makeRun());
	const check = await held.check(0, sourceOf([Buffer.from('<html>')]));
	expect(check).toEqual({ whyNot: 'there is no image at this address' });
});
