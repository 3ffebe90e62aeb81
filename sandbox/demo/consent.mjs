import { createInterface } from 'node:readline/promises';
import { Refusal } from '../n8n/refusal.mjs';

/** Says what will be ordered where and what is stored, and goes on only if the person agrees. */
export async function askBeforeSpending({ real, yes, model, textModel, keepKey, data }, report) {
	report.line(
		`This costs money: it orders one video${model ? ` (${model})` : ''} and one text answer` +
			`${textModel ? ` (${textModel})` : ''} at ${new URL(real.baseUrl).origin}.`,
	);
	report.line(
		`Your API key is stored in ${data}, encrypted with a key of that folder, ` +
			(keepKey ? 'and stays there.' : 'and removed when the demo stops (--keep-key leaves it).'),
	);
	if (yes) return;
	if (!process.stdin.isTTY) {
		throw new Refusal(
			'There is no terminal to ask for confirmation. Add --yes to confirm in advance.',
		);
	}
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const closed = new Promise((resolve) => terminal.once('close', () => resolve('')));
	const answer = await Promise.race([terminal.question('Continue? [y/N] '), closed]);
	terminal.close();
	if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('Nothing was ordered or stored.');
}
