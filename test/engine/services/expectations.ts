/**
 * What becomes of a video with all settings of a service's example, by the service's name in
 * `sandbox/services/records.js`: it `works`, with each documented setting where the page wants it, but for
 * some that it drops and that a note tells of; or it does not, for this reason. Without an entry, only
 * what concerns money is checked.
 */
export const EXPECTED: Record<string, 'works' | { drops: string } | RegExp> = {
	...Object.fromEntries(
		[
			...['AnyFast HappyHorse', 'APIYI Veo', 'CometAPI Sora', 'EZmodel', 'GoGoGoToken (.ai)'],
			...['GoGoGoToken (.com)', 'Kapon Sora', 'LiteLLM', 'OctopusX', 'OctopusX Veo'],
			...['OctopusX Vidu', 'PowerTokens Seedance', 'aimanyi', 'AnyFast Sora', 'KFC', 'Sealink'],
			...['CHNLLM', 'OpenAI', 'OpenRouter', 'token360'],
			...['Crazyrouter GV', 'Crazyrouter (unified)', 'Qiniu', 'UniAll', 'WengaoCloud'],
		].map((name) => [name, 'works' as const]),
	),
	// The ratio is in the model's name.
	'LaoZhang Veo': { drops: 'ratio' },
	// Their pictures are in lists with roles of their own.
	RelayDance: { drops: 'image' },
	MoonApiX: { drops: 'image' },
	// Its page shows a width and a height, which New API's code drops.
	'New API': /has no field for: Resolution/,
	// They refuse what others want, in words; Settings in the credential, or Additional Fields, say less.
	'AI Stats': /^The video was not submitted: .*\(HTTP 400\)/,
	'Merge Gateway': /^The video was not submitted: .*\(HTTP 400\)/,
	'Onetoken Sora': /^The video was not submitted: .*\(HTTP 400\)/,
	'UniAll Grok': /^The video was not submitted: .*\(HTTP 422\)/,
	// It polls on a path of its own, which the credential's Custom Paths take.
	Vancine: /^The task can no longer be followed/,
	// It takes a list of contents in place of a prompt, which Additional Fields can write.
	'Mesh API': /^The video was not submitted: .*\(HTTP 422\)/,
	'APIYI Seedance': /^The video was not submitted: .*\(HTTP 400\)/,
};
