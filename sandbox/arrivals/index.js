'use strict';

const { CASES, COLUMNS, PNG, fromWords, toWords } = require('./cases');
const { judge, withTables } = require('./table');
const { shapeOf, toParameters, toTextParameters, TEXT_CASES } = require('./textCases');

// What was recorded by `npm run arrivals -- --record`, and what it takes to repeat it.

const { records: ARRIVALS } = require('../service/gateway/arrivals.json');
const { records: TEXT_ARRIVALS } = require('../service/gateway/textArrivals.json');

module.exports = {
	...{ CASES, COLUMNS, ARRIVALS, judge, shapeOf, toParameters },
	...{ TEXT_CASES, TEXT_ARRIVALS, toTextParameters },
	...{ PNG, fromWords, toWords, withTables },
};
