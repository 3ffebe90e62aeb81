'use strict';

// Properties of a model's input, as JSON Schema has them.

const text = (more = {}) => ({ type: 'string', ...more });
const whole = (more = {}) => ({ type: 'integer', ...more });
const oneOf = (values, byDefault, type = 'string') => ({
	type,
	enum: values,
	...(byDefault !== undefined && { default: byDefault }),
});
const flag = (byDefault) => ({ type: 'boolean', default: byDefault });
const address = () => text({ format: 'uri' });
const addresses = (maxItems) => ({ type: 'array', items: address(), maxItems });

module.exports = { address, addresses, flag, oneOf, text, whole };
