/** Any answer in snake_case, but for what belongs to the author of a function. */
export function toSnakeCase(value: unknown): unknown;
