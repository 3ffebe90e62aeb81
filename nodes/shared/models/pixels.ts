import type { Input } from './readSchema';
import type { Value } from './settings';

// Models whose field of the shape has sizes in pixels, such as 1280:720: Runway's. People choose 16:9 and 720p, as
// everywhere else.

const SIZE = /^(\d{3,4}):(\d{3,4})$/;

const RATIOS = ['21:9', '16:9', '3:2', '4:3', '1:1', '3:4', '2:3', '9:16'];
/** By the lines of 16:9 with as many pixels. */
const RESOLUTIONS = new Map([
	...[360, 480, 720, 1080].map((lines): [number, string] => [lines, `${lines}p`]),
	[2160, '4k'],
]);
/** What is meant if only the ratio is set, as most pages have it. */
const USUAL = '720p';

const nearest = <One>(all: readonly One[], wanted: number, sizeOf: (one: One) => number): One => {
	const distance = (one: One) => Math.abs(Math.log(sizeOf(one) / wanted));
	return all.reduce((best, one) => (distance(one) < distance(best) ? one : best));
};

const toNumber = (ratio: string) => {
	const [across, down] = ratio.split(':').map(Number);
	return across / down;
};

/** Returns a size in the words in which people choose it; `undefined` for a word such as `auto_720p`. */
function toShape(size: string): { ratio: string; resolution: string } | undefined {
	const [, width, height] = (SIZE.exec(size) ?? []).map(Number);
	if (!width) return undefined;
	const lines = nearest(
		[...RESOLUTIONS.keys()],
		Math.sqrt((width * height * 9) / 16),
		(one) => one,
	);
	return {
		ratio: nearest(RATIOS, width / height, toNumber),
		resolution: RESOLUTIONS.get(lines)!,
	};
}

/** Returns the ratio of a size; any other word as it is. */
export const ratioOf = (size: string): string => toShape(size)?.ratio ?? size;

/** Returns the sizes of a field of the shape; `undefined` if it has ratios, or anything else. */
export function sizesOf({ list = [] }: Pick<Input, 'list'> = {}): string[] | undefined {
	return list.some((one) => SIZE.test(String(one))) ? list.map(String) : undefined;
}

/** Returns the ratios and resolutions that sizes have, each once, in their order. */
export function choicesOf(sizes: string[]): { aspectRatio: Value[]; resolution: Value[] } {
	const shapes = sizes.map((size) => toShape(size) ?? { ratio: size, resolution: undefined });
	const resolutions = shapes.flatMap(({ resolution }) => resolution ?? []);
	return {
		aspectRatio: [...new Set(shapes.map(({ ratio }) => ratio))],
		resolution: [...RESOLUTIONS.values()].filter((one) => resolutions.includes(one)),
	};
}

/** Returns the size of a ratio, or a size that was written as one; `undefined` if there is none. */
export function findSize(sizes: string[], ratio: string, resolution?: string): string | undefined {
	const fits = sizes.flatMap((size) => {
		const shape = toShape(size);
		const isIt = size === ratio || shape?.ratio === ratio;
		return isIt && (!resolution || shape?.resolution === resolution) ? [{ size, shape }] : [];
	});
	const usual = fits.find(({ shape }) => shape?.resolution === USUAL);
	return (usual ?? fits[0])?.size;
}
