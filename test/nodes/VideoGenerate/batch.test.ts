import { videoGenerateFields } from '../../../nodes/VideoGenerate/fields';
import { createBatch } from '../../../nodes/VideoGenerate/generateVideos';
import { createProgress } from '../../../nodes/VideoGenerate/progress';
import { createJobReader } from '../../../nodes/VideoGenerate/readJob';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { answer, openWorld, serve } from '../shared/task/support/world';

it('a video that is ready when a failure ends the run keeps its task, though its download never begins', async () => {
	const parameters = [{ model: 'm', prompt: 'A boat', downloadVideo: true }];
	const { run, time } = openWorld({ node: { fields: videoGenerateFields, parameters } });
	const { connection } = serve({
		submit: () => answer(200, { task_id: 'task_1' }),
		fetch() {
			run.onFailure();
			const result_url = 'https://a.example/v.mp4';
			return answer(200, { data: { task_id: 'task_1', status: 'SUCCESS', result_url } });
		},
	});
	const reader = createJobReader(run);
	const job = await reader.read(createReader(run, 0));
	const batch = createBatch(run, connection, [job], reader, createProgress(run));

	const { json } = (await time.run(batch.work(job))) as { json: object };
	expect(json).toMatchObject({ task_id: 'task_1', status: 'SUCCESS' });
});
