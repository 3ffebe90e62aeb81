import { createSandbox } from '../../sandbox/service';
import { readPlan } from '../../sandbox/service/plan';
import { read } from '../package/support/files';

// What the page shows is what the sandbox takes.

const page = read('docs/dev/sandbox.md');
const sectionOf = (heading: string) => page.split(`## ${heading}\n`)[1].split('\n## ')[0];
/** The objects in a section, as they are written. */
const objectsOf = (heading: string) =>
	[...sectionOf(heading).matchAll(/`(\{[^`]*\})`/g)].map(([, json]) => json);

it.each([...sectionOf('Plans').matchAll(/`([^`]* sandbox:[^`]*)`/g)].map(([, prompt]) => prompt))(
	'takes the plan of: %s',
	(prompt) =>
		expect(readPlan(prompt)).toEqual({ asked: expect.any(String), plan: expect.anything() }),
);

it.each(objectsOf('Answers'))('takes the answer %s', (json) => {
	expect(readPlan(`A bicycle sandbox:{"poll":[${json}]}`).problem).toBeUndefined();
});

it.each(objectsOf('Settings'))('takes the settings %s', async (json) => {
	const sandbox = await createSandbox();
	expect(() => sandbox.set(JSON.parse(json))).not.toThrow();
	await sandbox.close();
});
