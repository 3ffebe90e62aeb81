// n8n finds the nodes and credentials by the list in package.json; this file is here because `main` names one.
