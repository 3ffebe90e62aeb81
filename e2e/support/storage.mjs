import { createHash } from 'node:crypto';
import fastify from 'fastify';

const LARGEST_FILE_BYTES = 64_000_000;
const XML = 'application/xml';
const LOCATION =
	'<?xml version="1.0" encoding="UTF-8"?>' +
	'<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></LocationConstraint>';

/**
 * A storage that speaks as much S3 as an upload of n8n's S3 node needs, for one account. It takes a
 * file only with the account's name in the signature and with the checksum that the bytes have, and
 * none whose name has `refused` in it.
 * `files` are the bytes by `bucket/key`; `credential` is n8n's.
 */
export async function startStorage(refused) {
	const accessKeyId = 'storage-account';
	const files = new Map();
	const app = fastify({ bodyLimit: LARGEST_FILE_BYTES, forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', async ({ headers }, reply) => {
		const signed = new RegExp(`^AWS4-HMAC-SHA256 Credential=${accessKeyId}/`);
		if (!signed.test(headers.authorization)) return await reply.code(403).send();
	});

	app.get('/:bucket', async (_request, reply) => await reply.type(XML).send(LOCATION));

	app.put('/:bucket/*', async ({ params, headers, body }, reply) => {
		const checksum = createHash('md5').update(body).digest('base64');
		const isRefused = params['*'].includes(refused);
		if (isRefused || headers['content-md5'] !== checksum) return await reply.code(400).send();
		files.set(`${params.bucket}/${params['*']}`, body);
		return await reply.header('etag', `"${checksum}"`).send();
	});

	const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
	const data = {
		endpoint,
		region: 'us-east-1',
		accessKeyId,
		secretAccessKey: 'storage-secret',
		forcePathStyle: true,
		ignoreSSLIssues: false,
	};
	const credential = { name: 'Storage', type: 's3', data };
	return { files, credential, close: async () => await app.close() };
}
