import type { ServiceAnswer } from '../../../../nodes/shared/http/answer';
import { fal } from '../../../../nodes/shared/services/fal';
import { fetchListed } from '../../../../nodes/shared/services/modelList';

/** Answers with pages of two models each, as `api.fal.ai/v1/models` does, and notes what was asked. */
function pagesOf(pages: number, status = 200) {
	const asked: string[] = [];
	const send = async ({ path }: { path: string }): Promise<ServiceAnswer> => {
		asked.push(path);
		const page = asked.length;
		const models = [1, 2].map((n) => ({
			endpoint_id: `owner/model-${page}-${n}`,
			metadata: { display_name: `Model ${page}`, category: 'text-to-image' },
		}));
		const next_cursor = page < pages ? `Mg==${page}` : null;
		const body = JSON.stringify({ models, next_cursor });
		return await Promise.resolve({ status, headers: {}, body });
	};
	const baseUrl = `https://${pages}.${status}.test`;
	return { asked, connection: { baseUrl, keyHash: '1', service: fal, send } };
}

it('goes on to the last page, once', async () => {
	const { asked, connection } = pagesOf(3);
	const listed = await fetchListed(connection);
	expect(listed).toHaveLength(6);
	expect(listed).toContainEqual({ id: 'owner/model-3-1', name: 'Model 3', makes: 'image' });
	expect(asked[1]).toMatch(/&cursor=Mg%3D%3D1$/);
	expect(await fetchListed(connection)).toHaveLength(6);
	expect(asked).toHaveLength(3);
});

it('reads anew what another key may have otherwise', async () => {
	const { asked, connection } = pagesOf(2);
	await fetchListed(connection);
	await fetchListed({ ...connection, keyHash: '2' });
	await fetchListed(connection);
	expect(asked).toHaveLength(3);
});

it('says why there is no list, and reads it anew', async () => {
	const { asked, connection } = pagesOf(1, 429);
	expect(await fetchListed(connection)).toMatchObject({ httpCode: 429 });
	await fetchListed(connection);
	expect(asked).toHaveLength(2);
});
