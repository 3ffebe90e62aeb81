/** What n8n makes of an expression of one part, `={{ ... }}`. */
export function evaluate(expression: string, variables: object): unknown;
