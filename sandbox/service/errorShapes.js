'use strict';

// The service answers in two error shapes, on the same addresses; proxies before it answer in HTML.

/** Business errors of the video paths. */
const business = (status, code, message) => ({ status, json: { code, message, data: null } });

/** Key, routing and text errors. The upstream's own `status` word is lost on the way. */
const gateway = (status, code, message, type = 'new_api_error') => ({
	status,
	json: { error: { message, type, code } },
});

/** What a reverse proxy says when it answers in the service's place. */
const proxyPage = (status, title) => ({
	status,
	html:
		`<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n` +
		`<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

/** The web console that answers every path it does not know with its start page. */
const consolePage = () => ({
	status: 200,
	html:
		'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8" /><title>Console</title></head>\n' +
		'<body><noscript>You need to enable JavaScript to run this app.</noscript>' +
		'<div id="root"></div></body>\n</html>\n',
});

const taskNotExist = () => business(400, 'task_not_exist', 'task_not_exist');

/** Why there is no film at a task's address, which knows no codes. */
const noFilm = (status, message, type) => ({ status, json: { error: { message, type } } });

const notCompleted = (status) =>
	noFilm(400, `Task is not completed yet, current status: ${status}`, 'invalid_request_error');

const modelNotFound = (model) =>
	gateway(
		503,
		'model_not_found',
		`No available channel for model ${model} under group default (distributor)`,
	);

module.exports = {
	...{ business, gateway, proxyPage, consolePage },
	...{ taskNotExist, noFilm, notCompleted, modelNotFound },
};
