!!NVcp5.0
OPTION NV_internal;
GROUP_SIZE 32;
TEMP R0;
MOV.U R0, -|invocation.localid|;
END
