'use strict';

const { changeDue, isOwnAnswer, withChange } = require('./answers');
const { byClockOf, listedTasks } = require('./taskTimes');

// What the lists of a key's tasks have in common; how an entry looks is for each service to say.

/** A list as the plan of the deployment wants it: `list` has an answer for each page that is asked for. */
const listing = (toAnswer) => (exchange) => {
	const { state } = exchange;
	const change = changeDue(exchange, 'list', 'tasks', state.deployment.plan.list);
	return isOwnAnswer(change) ? change : withChange(toAnswer(exchange), change);
};

/** Returns a time that a list is to begin or end at; NaN if it is none, and `undefined` if it was left out. */
const timeOf = (text) => (text === undefined ? undefined : Date.parse(text));

/** Returns whether a time, by the service's clock, lies between two others, each of which may be left out. */
const isBetween = (state, ms, from = -Infinity, to = Infinity) => {
	const shown = byClockOf(state, ms);
	return shown >= from && shown <= to;
};

/** Returns a whole number of a query or body; NaN if it is none, or is not in its bounds. */
function numberOf(value, byDefault, least, most) {
	if (value === undefined) return byDefault;
	const number = Number(value);
	return Number.isInteger(number) && number >= least && number <= most ? number : NaN;
}

module.exports = { isBetween, listedTasks, listing, numberOf, timeOf };
