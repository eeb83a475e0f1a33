// onnxruntime-node 1.16.3 publishes no types of its own; its surface is that of onnxruntime-common.
declare module 'onnxruntime-node' {
  import common = require('onnxruntime-common');
  export = common;
}
