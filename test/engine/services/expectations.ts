/**
 * What becomes of a video with all settings of a service's example, by the service's name in
 * `sandbox/services/records.js`: it `works`, with each documented setting where the page wants it; or it
 * does not, for this reason. Without an entry, only what concerns money is checked.
 */
export const EXPECTED: Record<string, 'works' | RegExp> = {
	...Object.fromEntries(
		[
			...['AnyFast HappyHorse', 'APIYI Veo', 'CometAPI Sora', 'EZmodel', 'GoGoGoToken (.ai)'],
			...['GoGoGoToken (.com)', 'Kapon Sora', 'LiteLLM', 'OctopusX', 'OctopusX Veo'],
			...['OctopusX Vidu', 'PowerTokens Seedance', 'aimanyi', 'AnyFast Sora', 'KFC', 'Sealink'],
		].map((name) => [name, 'works' as const]),
	),
	// It takes 1080P, and not the 1080p of the form's list.
	'Crazyrouter GV': /^The video was not submitted: .*\(HTTP 400\)/,
	// Its page shows a width and a height, which New API's code drops.
	'New API': /^Kling v1 and v2 models have no field for: Resolution/,
	TokenKey: /^The service sends the film inside its record/,
	// It polls on a path of its own, which the credential's Custom Paths take.
	Vancine: /^The task can no longer be followed/,
	// It takes a list of contents in place of a prompt, which Additional Fields can write.
	'Mesh API': /^The video was not submitted: .*\(HTTP 422\)/,
};
