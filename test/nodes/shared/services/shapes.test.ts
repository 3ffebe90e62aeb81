import { readTask, readTaskIds } from '../../../../nodes/shared/services/videoTask';

const FILE = 'https://files.example.com/video.mp4';
/** An address or a reason in a place that no path reads; the documented content address stands in. */
const FAR = 'https://elsewhere.example.com/x';
const WHY = 'Too dark';

/**
 * What services answer, as their pages show it, one row for a kind, without the fields that are not read: the answer to a
 * submit, and to polls while it renders, when it is done, and when it has failed.
 */
const SHAPES = `
the contract | {"id":"ID","task_id":"ID","status":"queued","progress":0} | {"code":"success","data":{"task_id":"ID","status":"IN_PROGRESS","progress":"50%"}} | {"code":"success","data":{"task_id":"ID","status":"SUCCESS","result_url":"FILE"}} | {"code":"success","data":{"task_id":"ID","status":"FAILURE","fail_reason":"WHY"}}
New API by /v1/videos | {"id":"ID","task_id":"ID","status":"queued"} | {"id":"ID","status":"unknown"} | {"id":"ID","status":"completed","metadata":{"url":"FILE"}} | {"id":"ID","status":"failed","error":{"code":"1301","message":"WHY"}}
LiteLLM 1.90, which encodes the ID anew | {"id":"ID","status":"queued"} | {"id":"OTHER","status":"in_progress","progress":50} | {"id":"OTHER","status":"completed"} | {"id":"OTHER","status":"failed","error":{"code":"x","message":"WHY"}}
kie.ai | {"code":200,"msg":"success","data":{"taskId":"ID","recordId":"OTHER"}} | {"code":200,"msg":"success","data":{"taskId":"ID","state":"generating","resultJson":""}} | {"code":200,"data":{"taskId":"ID","state":"success","resultJson":"{\\"resultUrls\\":[\\"FILE\\"]}"}} | {"code":200,"data":{"taskId":"ID","state":"fail","failCode":"500","failMsg":"WHY"}}
kie.ai, older Veo | {"code":200,"data":{"taskId":"ID"}} | {"code":200,"data":{"taskId":"ID","successFlag":0}} | {"code":200,"data":{"taskId":"ID","successFlag":1,"response":{"resultUrls":["FILE"]}}} | {"code":200,"data":{"taskId":"ID","successFlag":3,"errorMessage":"WHY"}}
Replicate | {"id":"ID","status":"starting","urls":{"get":"FAR"}} | {"id":"ID","status":"processing","output":null} | {"id":"ID","status":"succeeded","output":["FILE"]} | {"id":"ID","status":"aborted","error":"WHY"}
Replicate, one file | {"id":"ID","status":"starting"} | {"id":"ID","status":"processing"} | {"id":"ID","status":"succeeded","output":"FILE"} | {"id":"ID","status":"canceled","error":null}
Google | {"name":"ID"} | {"name":"ID","done":false} | {"name":"ID","done":true,"response":{"generateVideoResponse":{"generatedSamples":[{"video":{"uri":"FAR"}}]}}} | {"name":"ID","done":true,"error":{"code":3,"message":"WHY"}}
MiniMax | {"task_id":"ID","base_resp":{"status_code":0}} | {"task_id":"ID","status":"Preparing"} | {"task_id":"ID","status":"Success","file_id":"7"} | {"task_id":"ID","status":"Fail","error_message":"WHY"}
Kling, its older API | {"code":0,"message":"SUCCEED","request_id":"OTHER","data":{"task_id":"ID","task_status":"submitted"}} | {"code":0,"message":"SUCCEED","data":{"task_id":"ID","task_status":"processing"}} | {"code":0,"data":{"task_id":"ID","task_status":"succeed","task_result":{"videos":[{"id":"OTHER","url":"FILE"}]}}} | {"code":0,"message":"SUCCEED","data":{"task_id":"ID","task_status":"failed","task_status_msg":"WHY"}}
DashScope | {"request_id":"OTHER","output":{"task_id":"ID","task_status":"PENDING"}} | {"request_id":"OTHER","output":{"task_id":"ID","task_status":"RUNNING"}} | {"request_id":"OTHER","output":{"task_status":"SUCCEEDED","video_url":"FILE"}} | {"output":{"task_status":"FAILED","code":"InternalError","message":"WHY"}}
Runway | {"id":"ID"} | {"id":"ID","status":"THROTTLED"} | {"id":"ID","status":"SUCCEEDED","output":["FILE"]} | {"id":"ID","status":"FAILED","failure":"WHY","failureCode":"SAFETY"}
Luma | {"id":"ID","state":"queued"} | {"id":"ID","state":"dreaming"} | {"id":"ID","state":"completed","output":"FILE"} | {"id":"ID","state":"failed","failure_reason":"WHY"}
WaveSpeed | {"code":200,"data":{"id":"ID","status":"created","urls":{"get":"FAR"}}} | {"code":200,"data":{"id":"ID","status":"processing"}} | {"code":200,"data":{"id":"ID","status":"completed","outputs":["FILE"]}} | {"code":200,"data":{"id":"ID","status":"failed","error":"WHY"}}
xAI | {"request_id":"ID"} | {"status":"pending"} | {"status":"done","video":{"url":"FILE","duration":8}} | {"status":"failed","error":"WHY"}
a relay of Sora | {"id":"ID","status":"pending"} | {"id":"ID","detail":{"status":"processing"}} | {"id":"ID","detail":{"status":"completed","video_url":"FILE"}} | {"id":"ID","detail":{"status":"failed","error":{"message":"WHY"}}}
AnyFast HappyHorse | {"id":"ID","status":"queued","task_id":"ID"} | {"code":"success","data":{"task_id":"ID","status":"IN_PROGRESS"}} | {"code":"success","data":{"task_id":"ID","status":"SUCCESS","result_url":"FILE","fail_reason":"FILE","data":{"output":{"video_url":"FILE"}}}} | {"code":"success","data":{"task_id":"ID","status":"FAILURE","fail_reason":"WHY"}}
Crazyrouter GV | {"id":"ID","task_id":"ID","status":"processing"} | {"code":"success","data":{"id":"ID","task_id":"ID","status":"processing"}} | {"code":"success","data":{"id":"ID","task_id":"ID","status":"SUCCESS","result_url":"FILE","artifact_url":"FILE"}} | {"code":"success","data":{"id":"ID","task_id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}}
EZmodel | {"id":"ID","status":"pending"} | {"id":"ID","status":"in_progress"} | {"id":"ID","status":"completed","data":[{"url":"FILE"}]} | {"id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}
OctopusX | {"id":"ID","status":"queued","task_id":"ID"} | {"code":"success","data":{"task_id":"OTHER","url":"","format":"mp4","metadata":null,"error":null,"status":"processing"}} | {"code":"success","data":{"task_id":"OTHER","url":"FILE","format":"mp4","metadata":null,"error":null,"status":"succeeded"}} | {"code":"success","data":{"task_id":"OTHER","url":"","format":"mp4","metadata":null,"error":{"code":"render","message":"WHY"},"status":"failed"}}
RelayDance | {"task_id":"ID","status":"submitted"} | {"task_id":"ID","status":"running"} | {"task_id":"ID","status":"succeeded","url":"FILE","format":"mp4","metadata":{"ratio":"16:9","resolution":"720p"}} | {"task_id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}
TokenKey | {"task_id":"ID","status":"pending"} | {"name":"ID","done":false} | {"name":"ID","done":true,"response":{"videos":[{"bytesBase64Encoded":"AAAA","mimeType":"video/mp4"}]}} | {"name":"ID","done":true,"error":{"code":3,"message":"WHY"}}
AI Stats | {"id":"ID","status":"pending"} | {"id":"ID","status":"in_progress"} | {"id":"ID","status":"completed","download_url":"FILE"} | {"id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}
CHNLLM | {"task_id":"ID"} | {"code":"success","data":{"task_id":"ID","status":"IN_PROGRESS"}} | {"code":"success","data":{"task_id":"ID","status":"SUCCESS","data":{"content":{"video_url":"FILE"}}}} | {"code":"success","data":{"task_id":"ID","status":"FAILURE","fail_reason":"WHY"}}
Runway | {"id":"ID","estimatedCost":{"credits":60}} | {"id":"ID","status":"THROTTLED","createdAt":"T"} | {"id":"ID","status":"SUCCEEDED","cost":{"credits":60},"output":["FILE"]} | {"id":"ID","status":"FAILED","cost":{"credits":0},"failure":"WHY","failureCode":"INTERNAL"}
OpenRouter | {"id":"ID","polling_url":"FAR","status":"pending"} | {"id":"ID","status":"in_progress"} | {"id":"ID","status":"completed","unsigned_urls":["FILE"]} | {"id":"ID","status":"failed","error":"WHY"}
Mesh API | {"id":"ID"} | {"id":"ID","status":"running"} | {"id":"ID","status":"succeeded","content":{"video_url":"FILE"}} | {"id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}
Qiniu | {"id":"ID"} | {"id":"ID","status":"InProgress"} | {"id":"ID","status":"Completed","data":{"videos":[{"url":"FILE"}]}} | {"id":"ID","status":"Failed","error":{"code":"render","message":"WHY"}}
WengaoCloud | {"id":"ID","status":"queued"} | {"id":"ID","status":"running"} | {"id":"ID","status":"succeeded","result":{"video_url":"FILE"}} | {"id":"ID","status":"failed","error":{"code":"render","message":"WHY"}}
Vancine | {"task_id":"ID","status":"pending"} | {"status":"pending"} | {"status":"succeeded","output":{"video_url":"FILE"}} | {"status":"failed","error":{"code":"render","message":"WHY"}}
HeyGen, from a prompt | {"data":{"session_id":"OTHER","status":"generating","video_id":"ID","created_at":1711382400}} | {"data":{"id":"ID","status":"processing"}} | {"data":{"id":"ID","status":"completed","video_url":"FILE","thumbnail_url":"FAR"}} | {"data":{"id":"ID","status":"failed","failure_code":"x","failure_message":"WHY"},"error":null}
HeyGen, of an avatar | {"data":{"video_id":"ID","status":"waiting"}} | {"data":{"id":"ID","status":"pending"}} | {"data":{"id":"ID","status":"completed","video_url":"FILE"}} | {"data":{"id":"ID","status":"failed","failure_message":"WHY"}}
PiAPI | {"code":200,"data":{"task_id":"ID","model":"hailuo","status":"pending","output":null,"error":{"code":0,"message":""}},"message":"success"} | {"code":200,"data":{"task_id":"ID","status":"staged","output":{"status":0,"video_url":"","download_url":""},"detail":null,"error":{"code":0,"message":""}},"message":"success"} | {"code":200,"data":{"task_id":"ID","status":"completed","output":{"status":99,"video_url":"FILE","cover_url":"FAR"},"error":{"code":0,"message":""}},"message":"success"} | {"code":200,"data":{"task_id":"ID","status":"failed","output":null,"error":{"code":10000,"raw_message":"x","message":"WHY"}},"message":"success"}
PiAPI's Kling | {"code":200,"data":{"task_id":"ID","status":"pending"},"message":"success"} | {"code":200,"data":{"task_id":"ID","status":"processing","output":{}}} | {"code":200,"data":{"task_id":"ID","status":"completed","output":{"type":"m2v_txt2video_hq","status":99,"works":[{"status":99,"cover":{"resource":"FAR"},"video":{"resource":"FAR","resource_without_watermark":"FILE"}}]},"error":{"code":0,"message":""}},"message":"success"} | {"code":200,"data":{"task_id":"ID","status":"failed","error":{"code":10000,"message":"WHY"}}}
Runpod | {"id":"ID","status":"IN_QUEUE"} | {"delayTime":17,"id":"ID","status":"IN_PROGRESS"} | {"delayTime":28,"executionTime":85432,"id":"ID","output":{"cost":0.5,"video_url":"FILE"},"status":"COMPLETED","workerId":"OTHER"} | {"id":"ID","status":"FAILED","error":"WHY"}
Runpod, of another worker | {"id":"ID","status":"IN_QUEUE"} | {"id":"ID","status":"IN_QUEUE"} | {"id":"ID","output":"FILE","status":"COMPLETED"} | {"id":"ID","status":"TIMED_OUT"}
New API, Veo (Vertex AI) | {"id":"ID","task_id":"ID","status":"queued"} | {"code":"success","data":{"error":null,"format":"mp4","status":"processing","task_id":"ID","url":""}} | {"code":"success","data":{"error":null,"format":"mp4","status":"succeeded","task_id":"ID","url":""}} | {"code":"success","data":{"error":null,"format":"mp4","status":"failed","task_id":"ID","url":"WHY"}}
New API, Seedance | {"id":"ID","task_id":"ID","status":"queued"} | {"code":"success","data":{"task_id":"ID","status":"IN_PROGRESS","fail_reason":"","progress":"50%"}} | {"code":"success","data":{"task_id":"ID","status":"SUCCESS","fail_reason":"","result_url":"FILE","progress":"100%"}} | {"code":"success","data":{"task_id":"ID","status":"FAILURE","fail_reason":"WHY","result_url":"WHY","progress":"100%"}}
New API, Jimeng | {"id":"ID","task_id":"ID","status":"queued"} | {"code":"success","data":{"task_id":"ID","status":"QUEUED","fail_reason":"","progress":"10%"}} | {"code":"success","data":{"task_id":"ID","status":"SUCCESS","fail_reason":"","result_url":"FILE","progress":"100%"}} | {"code":"success","data":{"task_id":"ID","status":"FAILURE","fail_reason":"WHY","result_url":"WHY","progress":"100%"}}
`
	.trim()
	.split('\n')
	.map((line) => line.split(' | '));

const parse = (json: string): unknown =>
	JSON.parse(json.replaceAll('FILE', FILE).replaceAll('WHY', WHY).replaceAll('FAR', FAR));

it.each(SHAPES)('%s', (_service, submitted, rendering, done, failed) => {
	expect(readTaskIds(parse(submitted))[0]).toBe('ID');
	const read = (answer: string) => readTask(parse(answer), 'ID');
	expect(read(rendering)?.status).toMatch(/^(queued|IN_PROGRESS)$/);
	expect(read(rendering)?.unknownStatus).toBeUndefined();
	const result_url = done.includes('FILE') ? FILE : undefined;
	expect(read(done)).toEqual(expect.objectContaining({ task_id: 'ID', status: 'SUCCESS' }));
	expect(read(done)?.result_url).toBe(result_url);
	expect(read(failed)?.status).toBe('FAILURE');
	if (failed.includes('WHY')) expect(read(failed)?.fail_reason).toContain(WHY);
});
