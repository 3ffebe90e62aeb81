import { createHash } from 'node:crypto';

import type { Reason } from '../shared/failure/reason';
import { type HeldFile, readReference } from '../shared/lib/heldFile';
import { sniffImage } from '../shared/lib/image';
import { withoutGaps } from '../shared/lib/json';
import { type MediaKind, SIGNATURE_BYTES, typeOfKind } from '../shared/lib/mediaType';
import type { Run } from '../shared/n8n/run';
import type { LoadFile } from '../shared/services/writeBody';
import { nothingThere, type ReadPicture, readPictureAt, type WhyNot } from './loadPicture';

/** A picture where the person has it. */
interface PictureSource {
	/** Names it in a message, such as "First Frame (Image URL)". */
	label: string;
	kind: MediaKind;
	/** Its type as n8n has it. */
	mimeType?: string;
	read: ReadPicture;
	/** What to do if it is another one at the next reading. */
	ifChanged?: string;
}

export type HeldPictures = ReturnType<typeof createHeldPictures>;

/**
 * Returns what holds the pictures of a run. Before anything is paid for, each is read to its end, and known
 * by its hash; for the submit, it is read once more. 60 pictures of 8 MB that waited in memory for their
 * renders took 2 GB (2026-11).
 */
export function createHeldPictures({ connect, signal }: Pick<Run, 'connect' | 'signal'>) {
	/** By item and hash: another item has the same picture from somewhere else. */
	const sources = new Map<number, Map<string, PictureSource & HeldFile>>();

	/** Reads a picture of an item to its end. Resolves to what it is, or to why it is none. */
	const check = async (itemIndex: number, source: PictureSource): Promise<HeldFile | WhyNot> => {
		const hash = createHash('sha256');
		let begin = Buffer.alloc(0);
		let sizeBytes = 0;
		const whyNot = await source.read((piece) => {
			if (begin.length < SIGNATURE_BYTES) {
				begin = Buffer.concat([begin, piece.subarray(0, SIGNATURE_BYTES)]);
			}
			sizeBytes += piece.length;
			hash.update(piece);
		});
		if (whyNot) return whyNot;
		const mimeType = typeOfKind(source.kind, begin, source.mimeType);
		if (mimeType === undefined) return { whyNot: nothingThere(source.kind) };
		const held = { mimeType, sizeBytes, hash: hash.digest('hex') };
		const ofItem = sources.get(itemIndex) ?? new Map<string, PictureSource & HeldFile>();
		sources.set(itemIndex, ofItem.set(held.hash, { ...source, ...held }));
		return held;
	};

	/** Loads a picture that was checked; refuses another one in its place. */
	const loadHeld = async (itemIndex: number, hash: string): Promise<Buffer | Reason> => {
		const source = sources.get(itemIndex)?.get(hash);
		if (!source) return toReason({ whyNot: 'its request names a file that the item has not' });
		const { kind, label, read, ifChanged, sizeBytes } = source;
		const fail = (whyNot: string, more: Partial<WhyNot> = {}) =>
			toReason({ advice: LOAD_AGAIN, ...more, whyNot: `the ${kind} of ${label} ${whyNot}` });
		const bytes = Buffer.allocUnsafe(sizeBytes);
		let size = 0;
		let whyNot: WhyNot | undefined;
		try {
			whyNot = await read((piece) => {
				if (size + piece.length <= sizeBytes) bytes.set(piece, size);
				size += piece.length;
			});
		} catch (error) {
			const { message, description: advice } = error as Error & { description?: string };
			return fail(`cannot be loaded again: ${message}`, advice ? { advice } : {});
		}
		if (whyNot) return fail(`cannot be loaded again: ${whyNot.whyNot}`, withoutGaps({ ...whyNot }));
		const isSame = size === sizeBytes && createHash('sha256').update(bytes).digest('hex') === hash;
		return isSame ? bytes : fail('has changed since it was checked', { advice: ifChanged });
	};

	/** Loads a picture for a form by its address, which the service was first given. */
	const loadAt = async (url: string): Promise<Buffer | Reason> => {
		const pieces: Uint8Array[] = [];
		const read = readPictureAt(url, signal, await connect());
		const whyNot = await read((piece) => void pieces.push(piece));
		const bytes = Buffer.concat(pieces);
		if (!whyNot && sniffImage(bytes) !== undefined) return bytes;
		const why: WhyNot = { advice: CHECK_PICTURE, ...(whyNot ?? { whyNot: nothingThere('image') }) };
		return toReason({ ...why, whyNot: `the image cannot be loaded for the form: ${why.whyNot}` });
	};

	/** Returns what loads the pictures of an item. */
	const filesOf =
		(itemIndex: number): LoadFile =>
		async (text) => {
			const held = readReference(text);
			return await (held ? loadHeld(itemIndex, held.hash) : loadAt(text));
		};
	return { check, filesOf, letGo: (itemIndex: number) => void sources.delete(itemIndex) };
}

const CHECK_PICTURE = 'Check the address, or use Binary Field: the service takes images as files.';

const LOAD_AGAIN =
	'Run the item again; if it fails again, run the node that made its file once more.';

const toReason = ({ whyNot, advice, passes = false }: WhyNot): Reason => ({
	...{ message: whyNot, advice, passes },
	refused: true,
});
