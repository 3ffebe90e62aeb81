'use strict';

const { PICTURE } = require('../service/media');
const { isFile, leavesOf, valueAt } = require('./body');

// What became of the settings of a video, by comparing a submit with the fields that its service
// documents. How a value is written does not count, only what it means.

/**
 * @typedef {'arrives' | 'refused' | 'dropped'} Verdict `dropped`: the service renders without it, or
 *   with something else
 * @typedef {{ length?: number, ratio?: string, resolution?: string, image?: string }} Wanted `length` in
 *   seconds, `image` by its address
 */

const MAX_RATIO_ERROR = 0.03;

/** Width by height of "16:9", "1280x720", or a model's name that says it. */
function toRatio(value) {
	const [, width, height] = /^\s*(\d+)\s*[x:*]\s*(\d+)\s*$/i.exec(value) ?? [];
	if (width) return Number(width) / Number(height);
	if (/landscape/i.test(value)) return 16 / 9;
	return /portrait/i.test(value) ? 9 / 16 : undefined;
}

const LINES_BY_K = { 2: 1440, 4: 2160 };
const LEAST_LINES = 100;

/** The lines of "720p", "4K" or "1280x720". */
function toLines(value) {
	const text = String(value);
	const [, lines] = /^\s*(\d+)p\s*$/i.exec(text) ?? [];
	if (lines) return Number(lines);
	const [, k] = /^\s*([24])k\s*$/i.exec(text) ?? [];
	if (k) return LINES_BY_K[k];
	const [, width, height] = /^\s*(\d+)\s*[x*]\s*(\d+)\s*$/i.exec(text) ?? [];
	const least = Math.min(Number(width), Number(height));
	return least >= LEAST_LINES ? least : undefined;
}

const isPicture = (leaf, url) =>
	isFile(leaf)
		? PICTURE.equals(leaf.bytes)
		: leaf === url ||
			(typeof leaf === 'string' &&
				PICTURE.equals(Buffer.from(leaf.replace(/^data:[^,]*,/, ''), 'base64')));

/**
 * Whether a value means what is wanted; `undefined` if it says nothing about the setting.
 * @type {Record<string, (value: any, wanted: any) => boolean | undefined>}
 */
const MEANS = {
	length: (value, wanted) => parseFloat(value) === Number(wanted),
	ratio(value, wanted) {
		const ratio = toRatio(value);
		return ratio && Math.abs(Math.log(ratio / toRatio(wanted))) < MAX_RATIO_ERROR;
	},
	resolution(value, wanted) {
		const lines = toLines(value);
		return lines && lines === toLines(wanted);
	},
	image: (value, wanted) => leavesOf(value).some((leaf) => isPicture(leaf, wanted)),
};

/**
 * What a submit made of each wanted setting.
 * @param {import('./records').ServiceRecord} record
 * @param {Pick<import('./standIn').Submit, 'status' | 'fields'> | undefined} submit `undefined`: nothing
 *   was sent
 * @param {Wanted} wanted
 * @returns {Partial<Record<keyof Wanted, Verdict>>}
 */
function judge({ settings }, submit, wanted) {
	const verdictOf = (setting, value) => {
		if (!submit || submit.status >= 300) return 'refused';
		for (const [at] of settings[setting] ?? []) {
			const found = valueAt(submit.fields, at);
			const means = found === undefined ? undefined : MEANS[setting](found, value);
			if (means !== undefined) return means ? 'arrives' : 'dropped';
		}
		return 'dropped';
	};
	return Object.fromEntries(
		Object.entries(wanted).map(([setting, value]) => [setting, verdictOf(setting, value)]),
	);
}

module.exports = { judge };
