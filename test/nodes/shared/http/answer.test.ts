import { toNoAnswer } from '../../../../nodes/shared/http/answer';

describe('toNoAnswer', () => {
	it.each([
		[{ code: 'ECONNREFUSED' }, 'notSent'],
		[{ cause: { code: 'ENOTFOUND' } }, 'notSent'],
		[{ cause: { cause: { code: 'ECONNRESET' } } }, 'unclear'],
		[{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'notSent'],
		[{ cause: { code: 'EHOSTUNREACH', syscall: 'read' } }, 'unclear'],
		[{ code: 'EPROTO', syscall: 'write' }, 'unclear'],
		[
			{ code: 'EPROTO', syscall: 'write', message: 'write EPROTO :wrong version number:' },
			'notSent',
		],
		[{ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'notSent'],
		[{ code: 'ERR_INVALID_HTTP_TOKEN' }, 'notSent'],
		[{ code: 'ERR_CANCELED' }, 'canceled'],
		[{ httpCode: '502' }, 'unclear'],
		[undefined, 'unclear'],
	])('reads %p as %s', (error, network) => {
		expect(toNoAnswer(error)).toMatchObject({ network, message: expect.any(String) });
	});

	it('names the address, and nothing of it that may be a key', () => {
		const url = 'https://user:sk-secret@api.example.com:8443/v1/videos?key=sk-secret';
		expect(toNoAnswer({ code: 'ECONNREFUSED' }, url).message).toBe(
			'Nothing answers at https://api.example.com:8443: the connection was refused',
		);
	});
});
