import { ask, pauseMs, prompt, until } from './client';
import type { Place, Reply } from './replies';
import type { SandboxStage } from './stage';

/** Where no answer comes, the client has to give up, once the service has taken the request. */
function patienceFor({ sandbox }: SandboxStage, fault: unknown, place: Place) {
	if (fault === 'stall' && place === 'content') return { giveUpAfterBytes: 1000 };
	if (fault === 'drip') return { giveUpAfterBytes: 1 };
	if (fault === 'endless') return { giveUpAfterBytes: 1000 };
	if (!['hang', 'slow', 'dripHead', 'acceptThenHang'].includes(String(fault))) return {};
	const index = sandbox.requests.length + (place === 'poll' || place === 'content' ? 1 : 0);
	const taken = () => (sandbox.requests[index]?.key ?? 'none') !== 'none';
	return { giveUpWhen: until(taken).then(async () => await pauseMs(50)) };
}

/** Makes one request that meets the fault. */
export async function meet(stage: SandboxStage, fault: unknown, place: Place): Promise<Reply> {
	const { client } = stage;
	const asked = prompt('A red bicycle', { [place]: [fault] });
	const patience = patienceFor(stage, fault, place);
	if (place === 'text') return await client.generate(ask(asked), patience);
	const submitted = await client.submit(asked, {}, place === 'submit' ? patience : {});
	if (place === 'submit') return submitted;
	const { id } = submitted.json;
	return await (place === 'poll' ? client.poll(id, patience) : client.download(id, patience));
}
