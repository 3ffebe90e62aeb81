import type { IDataObject } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { toInput, useStage, videoDownload } from '../../support/stage';

const stage = useStage();

/** The errors of a node that fails. */
async function fail(parameters: IDataObject, ...rows: IDataObject[]) {
	const haste = hurry(100);
	const node = videoDownload(parameters, { onError: 'continueErrorOutput' });
	const result = await stage.run(node, toInput(...rows)).finally(haste.restore);
	return result.outputs()[1].map(({ json }) => json.error as IDataObject);
}

it('says of a task that the service does not know that it does not, without further tries', async () => {
	const task_id = 'task_of_another_account';
	const [unknown, empty] = await fail({}, { task_id }, {});
	expect(unknown).toMatchObject({
		message: expect.stringMatching(/not be downloaded: the service does not know this task/),
		description: 'Check the task ID, and that the credential is the one it was submitted with.',
		...{ task_id, retryable: false, next: 'changeRequest' },
	});
	expect(empty).toMatchObject({ message: 'Task ID is empty [item 1]' });
	expect(stage.sandbox.count({ path: /\/content$/ })).toBe(1);
});

it('says of a page at Result URL what is wrong, and not that the Base URL is', async () => {
	const [error] = await fail({ source: 'url', resultUrl: `${stage.sandbox.url}/site` }, {});
	expect(error).toMatchObject({
		message: expect.stringMatching(/: the address answers with a web page, not with a file \[/),
		description: expect.stringMatching(/Check Result URL: it has to lead to the file itself\.$/),
	});
	expect(JSON.stringify(error)).not.toContain('Base URL');
});
