import { MAX_MODEL_CHARS } from '../lib/text';

/** Returns a name as patterns expect it: resellers write `kling_3.0`, `Vidu Q3` ... */
export const toPlainName = (model: string): string =>
	model
		// Lists of services have names, too.
		.slice(0, MAX_MODEL_CHARS)
		.toLowerCase()
		// wan/v2.6, hailuo/2-3
		.replace(/(?<=\b(?:wanx?|hailuo))[-_/ ]v?(?=\d)|[-_. ]+/g, '-')
		// vidu/q3, vidu/text-to-video-q3-pro
		.replace(
			/\/(?:([a-z-]+-to-video)-)?(q\d[^/]*)/,
			(_all, way, name) => `-${name}${way ? `-${way}` : ''}`,
		)
		.replace(/[-/](text|image|reference)-to-video/, (_all, [letter]: string) => `-${letter}2v`)
		// bytedance/v1-pro
		.replace(/\bbytedance\/(?=v\d)/, '$&seedance-')
		// klingai/v2.1, kling-video-v2.6
		.replace(/kling(ai)?(-video)?[-/](?=v?\d)/, 'kling-');

/** What a model renders from, by its plain name. */
export const RENDERS_FROM = {
	text: /(?<![a-z])t2v|text(-to|2)-?video/,
	image: /(?<![a-z])(i|kf)2v/,
	reference: /(?<![a-z])[rs]2v/,
};
