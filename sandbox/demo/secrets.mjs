import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../n8n/refusal.mjs';

/** Those of earlier versions of the demo, which everybody can read here. */
const KNOWN_TO_ALL = { encryptionKey: 'sandbox-only-encryption-key', password: 'Sandbox-demo-1' };

/**
 * The encryption key and the password of the demo's n8n, made for its folder and kept in it, where
 * only its owner may read. A folder of an earlier version has those that everybody knows: a real
 * key does not go into it.
 */
export async function openSecrets(data, state, isReal) {
	const known = state.get('secrets');
	if (known) return known;
	const isOld = await readFile(path.join(data, '.n8n', 'config')).then(
		() => true,
		() => false,
	);
	if (isOld && isReal) {
		throw new Refusal(
			`The encryption key of ${data} is known to everybody, so your API key is not stored there. ` +
				'Delete that folder, or choose another one with --data.',
		);
	}
	if (isOld) return KNOWN_TO_ALL;
	const secrets = {
		encryptionKey: randomBytes(24).toString('base64'),
		// n8n wants a capital letter and a number in it.
		password: `A1-${randomBytes(12).toString('base64url')}`,
	};
	await state.set('secrets', secrets);
	return secrets;
}
