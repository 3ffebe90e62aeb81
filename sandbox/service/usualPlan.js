'use strict';

const { sampleOf } = require('./textAnswer');
const { partsOf, sinceAsked, valuesOf } = require('./toolCalls');

// What a model does by itself where a tool makes videos: who asks for a video gets one.

const MAKES_VIDEOS = /^(?=.*(video|film)).*(generat|mak|creat|render)/i;
const ASKS_FOR_ONE = /\b(video|film)/i;
const LINK = /\[[^\]]*\]\(http[^)]+\)/;

/** Returns the plan of a prompt without one: to call the tool, then to tell what came of it. */
function usualPlan({ tools, contents }, asked) {
	const tool = tools.find(({ name }) => MAKES_VIDEOS.test(name));
	if (!tool || !ASKS_FOR_ONE.test(asked)) return {};
	const answers = partsOf(sinceAsked(contents), 'functionResponse');
	if (answers.length === 0) {
		const { properties = {}, required = [] } = tool.parameters ?? tool.parametersJsonSchema ?? {};
		const args = required.map((name) => [name, sampleOf(properties[name] ?? {}, asked)]);
		return { calls: [[{ name: tool.name, args: Object.fromEntries(args) }]] };
	}
	const last = (name) => [...valuesOf(name, answers)].at(-1);
	const [link] = LINK.exec(last('message')) ?? [];
	if (link) return { says: `Your video is ready: ${link}` };
	const id = last('task_id');
	return { says: id ? `The task ID of your video is ${id}.` : `No video: ${last('error')}` };
}

module.exports = { usualPlan };
