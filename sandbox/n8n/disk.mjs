import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from './refusal.mjs';
import { fileSize } from './report.mjs';

/** Bytes that this user may still write where `folder` is or will be. */
export async function freeBytes(folder) {
	let existing = path.resolve(folder);
	while (!existsSync(existing) && path.dirname(existing) !== existing) {
		existing = path.dirname(existing);
	}
	const { bavail, bsize } = await statfs(existing);
	return bavail * bsize;
}

/** Refuses before a long install that could not end well. */
export async function ensureFreeDisk(folder, neededBytes, what, remedy) {
	const free = await freeBytes(folder);
	if (free >= neededBytes) return;
	throw new Refusal(
		`Not enough disk space: ${what} needs ${fileSize(neededBytes)} in ${folder}, ` +
			`and ${fileSize(free)} is free. ${remedy}`,
	);
}
