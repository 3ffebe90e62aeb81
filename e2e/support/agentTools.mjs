/** Turns of the sandbox's model: `told:task_id` is what a tool has told it, see its page. */
export const planCalls = (...calls) => `Make videos sandbox:${JSON.stringify({ calls })}`;
export const video = (prompt, args = {}) => ({ name: 'Video_Generate', args: { prompt, ...args } });
export const status = (task_id) => ({ name: 'Video_Status', args: { task_id } });

/** What tools have told the model, in order, as text. */
export const toldBy = ({ requests }) =>
	(requests.findLast(({ path }) => path.includes('enerateContent'))?.body.contents ?? []).flatMap(
		({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse?.response.result ?? []),
	);
