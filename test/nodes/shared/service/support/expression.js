'use strict';

const { runInNewContext } = require('node:vm');

/** What n8n makes of an expression of one part, `={{ ... }}`. */
const evaluate = (expression, variables) =>
	runInNewContext(expression.slice('={{'.length, -'}}'.length), variables);

module.exports = { evaluate };
