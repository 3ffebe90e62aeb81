/** Returns a name as patterns expect it: people write `kling_3.0`, `vidu/q3`, `wan/v2.6/text-to-video` ... */
export const toPlainName = (model: string): string =>
	model
		.toLowerCase()
		.replace(/(?<=\b(?:wanx?|hailuo))[-_/ ]v?(?=\d)|[-_. ]+/g, '-')
		.replace(
			/\/(?:([a-z-]+-to-video)-)?(q\d[^/]*)/,
			(_all, way, name) => `-${name}${way ? `-${way}` : ''}`,
		)
		.replace(/[-/](text|image|reference)-to-video/, (_all, [letter]: string) => `-${letter}2v`)
		.replace(/\bbytedance\/(?=v\d)/, '$&seedance-')
		.replace(/kling(ai|(?:ai)?(-video)|(?=\/))[-/](?=v?\d)/, '$2/kling-');

/** What a model renders from, by its plain name. */
export const RENDERS_FROM = {
	text: /(?<![a-z])t2v|text(-to|2)-?video/,
	image: /(?<![a-z])(i|kf)2v/,
};
