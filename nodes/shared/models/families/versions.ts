import { isChoice, type Pictures, type SettingName, type Value } from '../settings';
import type { Lists, Takes, Version } from '../takes';

export const version = (label: string, model: string, matches: RegExp, lists: Lists): Version => ({
	...lists,
	label,
	model,
	matches,
});

/** Returns whole numbers of seconds. */
export const upTo = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_one, i) => first + i);

/** The model chooses the length. */
export const AUTO = -1;

export const TO_720P = ['480p', '720p'];
export const TO_1080P = [...TO_720P, '1080p'];
export const FIVE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

export const versionOf = ({ versions }: Takes, plainName: string): Version | undefined =>
	versions?.find(({ matches }) => matches.test(plainName));

/** Returns whether a value, in small letters, is in a version's list; without one, all are. */
export const isListed = (known: Version | undefined, setting: SettingName, value: Value): boolean =>
	(isChoice(setting) ? known?.[setting]?.includes(value) : undefined) ?? true;

/** Returns whether a version takes so many references. */
export const takesAll = (known: Version | undefined, { references }: Pictures): boolean =>
	references.every(({ kind }) => {
		const count = references.filter((one) => one.kind === kind).length;
		return count <= (known?.references?.[kind] ?? 0);
	});
