import './agents/agentModel.mjs';
import './agents/agentTools.mjs';
import './agents/chatModel.mjs';
