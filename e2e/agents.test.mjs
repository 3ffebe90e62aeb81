import './agents/agentModel.mjs';
import './agents/agentTools.mjs';
